/**
 * The desktop window, in a real Electron: it remembers, and it is shut in.
 *
 * ELECTRON_PATH names the executable; without it these tests are left out, and a line says so.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifyFile } from '@palimpsest/file'
import { _electron, type ElectronApplication } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { pageParts, type AssistantPage } from './assistant-page.ts'

// A real window on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000 })

const electron = process.env['ELECTRON_PATH']
if (electron === undefined) console.log('LEFT OUT: the desktop window (ELECTRON_PATH names no Electron)')

const app = fileURLToPath(new URL('../../apps/desktop', import.meta.url))
// Chromium's sandbox cannot start as root, as in a container; the window itself asks for it in every case.
const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), app]

interface Window extends AssistantPage {
  readonly shell: ElectronApplication
}

let userData: string
const shells = new Set<ElectronApplication>()

beforeAll(async () => {
  userData = await mkdtemp(join(tmpdir(), 'palimpsest-desktop-'))
})
afterEach(async () => {
  await Promise.all([...shells].map(shell => shell.close()))
  shells.clear()
})
afterAll(() => rm(userData, { recursive: true, force: true, maxRetries: 5 }))

function environment(): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...Object.fromEntries(own), PALIMPSEST_USER_DATA: userData }
}

async function openWindow(): Promise<Window> {
  const shell = await _electron.launch({ executablePath: electron ?? '', args, env: environment(), timeout: 90_000 })
  shells.add(shell)
  return { shell, ...(await pageParts(await shell.firstWindow({ timeout: 90_000 }))) }
}

describe.skipIf(electron === undefined)('the desktop window', () => {
  test('what was said before a restart is there after it', async () => {
    const first = await openWindow()
    expect(first.page.url()).toBe('app://palimpsest/')
    await first.say('My passport deadline is June 30, 2026')
    expect(await first.lastReply()).toContain('Noted: your passport deadline is June 30, 2026')
    await first.shell.close()
    shells.delete(first.shell)
    const second = await openWindow()
    await expect
      .poll(() => second.log.innerText(), { timeout: 20_000 })
      .toContain('Noted: your passport deadline is June 30, 2026')
    await second.say('When is my passport deadline?')
    expect(await second.lastReply()).toContain('June 30, 2026.')
  })

  test('the page gets dialogs, the files of its mirror and nothing of Electron or Node', async () => {
    const { page, shell } = await openWindow()
    const bridge = await page.evaluate(() => {
      const { mirror, ...dialogs } = (window as unknown as { palimpsestDesktop: Record<string, object> }).palimpsestDesktop
      return [dialogs, mirror ?? {}].map(part => Object.entries(part).map(([name, value]) => `${name}: ${typeof value}`))
    })
    expect(bridge.map(part => part.toSorted())).toEqual([
      ['openFile: function', 'saveFile: function'],
      ['append', 'closeFile', 'create', 'list', 'read', 'remove'].map(name => `${name}: function`),
    ])
    expect(
      await page.evaluate(() => ['require', 'process', 'module', 'Buffer', 'electron'].filter(name => name in window)),
    ).toEqual([])
    const preferences = await shell.evaluate(({ webContents }) => {
      const [contents] = webContents.getAllWebContents()
      const { sandbox, contextIsolation, nodeIntegration, webSecurity } = (
        contents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      ).getLastWebPreferences()
      return { sandbox, contextIsolation, nodeIntegration, webSecurity }
    })
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true })
  })

  test('nothing leads out: no navigation, no window, no request, no permission', async () => {
    const { page, shell } = await openWindow()
    await page.evaluate(() => {
      location.href = 'https://example.invalid/'
    })
    await page.evaluate(() => {
      location.href = 'app://elsewhere/'
    })
    await page.evaluate(() => {
      location.href = 'file:///etc/passwd'
    })
    expect(await page.evaluate(() => window.open('https://example.invalid/') === null)).toBe(true)
    expect(
      await page.evaluate(() =>
        fetch('https://example.invalid/').then(
          () => 'sent',
          () => 'refused',
        ),
      ),
    ).toBe('refused')
    // Another folder is no part of the page, however it is written.
    for (const path of [
      '../../package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      'assets/..%5c..%5cpackage.json',
    ]) {
      expect(await page.evaluate(async one => (await fetch(`app://palimpsest/${one}`)).status, path)).toBe(404)
    }
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
    expect(
      await page.evaluate(() =>
        navigator.mediaDevices.getUserMedia({ audio: true }).then(
          () => 'given',
          () => 'denied',
        ),
      ),
    ).toBe('denied')
    const policy = await page.evaluate(async () => (await fetch('app://palimpsest/')).headers.get('content-security-policy'))
    const own = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
    expect(own).toMatch(/default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/u)
    expect(policy).toBe(`${own}; frame-ancestors 'none'`)
    expect(page.url()).toBe('app://palimpsest/')
    expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  test('export and import go through the dialogs of the system', async () => {
    const { shell, page, say, memory } = await openWindow()
    await say('Call me Mira')
    const path = join(userData, 'exported.sgam.jsonl')
    await shell.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath })
    }, path)
    await page.getByRole('button', { name: 'Export…' }).click()
    await expect.poll(() => memory.innerText(), { timeout: 20_000 }).toMatch(/Exported as palimpsest-.*\.sgam\.jsonl/u)
    expect((await verifyFile(new Uint8Array(await readFile(path)))).footer.counts['assertion']).toBeGreaterThan(0)
    expect((await stat(path)).mode & 0o077).toBe(0)

    await shell.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] })
    }, path)
    await page.getByRole('button', { name: 'Import…' }).click()
    const plan = page.getByRole('dialog', { name: 'Import this file?' })
    expect(await plan.innerText()).toContain('exported.sgam.jsonl')
    await plan.getByRole('button', { name: 'Import' }).click()
    expect(await page.getByRole('dialog', { name: 'Imported' }).innerText()).toContain('Nothing was new.')

    await shell.evaluate(({ dialog }) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' })
    })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export…' }).click()
    await expect.poll(() => memory.innerText()).not.toContain('Exported as')
  })

  test('what the page hands over is checked', async () => {
    const { page } = await openWindow()
    const save = (name: unknown, bytes: 'bytes' | 'text'): Promise<string> =>
      page.evaluate(
        ([given, kind]) => {
          const bridge = (
            window as unknown as { palimpsestDesktop: { saveFile(name: unknown, bytes: unknown): Promise<boolean> } }
          ).palimpsestDesktop
          return bridge.saveFile(given, kind === 'bytes' ? new Uint8Array(1) : 'text').then(
            () => 'taken',
            (error: unknown) => String(error),
          )
        },
        [name, bytes] as const,
      )
    expect(await save('../outside.jsonl', 'bytes')).toContain('characters that no name of a file may hold')
    expect(await save('.hidden', 'bytes')).toContain('characters that no name of a file may hold')
    expect(await save('', 'bytes')).toContain('not one for a file')
    expect(await save(7, 'bytes')).toContain('not one for a file')
    expect(await save('fine.jsonl', 'text')).toContain('not bytes')
  })

  test('a second start on the same memory gives way to the window that is open', async () => {
    const { shell } = await openWindow()
    const second = spawn(electron ?? '', args, { env: environment(), stdio: 'ignore' })
    const code = await new Promise<number | null>(resolve => second.on('exit', resolve))
    expect(code).toBe(0)
    expect(await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })
})
