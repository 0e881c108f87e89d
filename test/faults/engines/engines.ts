/** The engines that the harness knows. */
import { chromiumEngine } from './chromium.ts'
import type { Engine } from './engine.ts'
import { firefoxEngine } from './firefox.ts'
import { webkitEngine } from './webkit.ts'

export function engines(): readonly Engine[] {
  return [chromiumEngine(), firefoxEngine(), webkitEngine()]
}
