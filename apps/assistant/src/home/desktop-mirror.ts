/** Where the mirror goes in the desktop window: into files that the shell writes. A browser has a place of its own. */
import { bridgedPlace } from '@palimpsest/browser'
import type { MirrorPlace } from '@palimpsest/core'

export function desktopMirror(store: string): MirrorPlace | undefined {
  const desktop = window.palimpsestDesktop
  return desktop && bridgedPlace(desktop.mirror, store)
}
