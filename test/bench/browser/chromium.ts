/** A real Chromium with a new profile on the disk on which the project lies: what a strict write waits for is that disk. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type BrowserContext } from 'playwright'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface BenchChromium {
  readonly context: BrowserContext
  readonly version: string
  close(): Promise<void>
}

/** @returns undefined where there is no Chromium */
export async function openChromium(cache: string): Promise<BenchChromium | undefined> {
  const executablePath = process.env['CHROMIUM_PATH'] || '/usr/bin/chromium'
  if (!existsSync(executablePath)) return undefined
  const profile = await mkdtemp(join(cache, 'profile-'))
  const remove = (): Promise<void> => rm(profile, { recursive: true, force: true, maxRetries: 5 })
  try {
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS })
    return {
      context,
      version: context.browser()?.version() ?? 'unknown',
      close: async () => {
        await context.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
