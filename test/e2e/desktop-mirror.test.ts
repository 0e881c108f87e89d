/**
 * The mirror's files in a real Electron: the contract of every mirror's place, through preload, channels and main process, with
 * windows as replicas; and who is let in.
 *
 * ELECTRON_PATH names the executable; without it these tests are left out.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bridgedPlace, type MirrorBridge } from '@palimpsest/browser'
import type { MirrorPlace } from '@palimpsest/core'
import { describeMirrorPlace } from '@palimpsest/core/mirror-contract'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

// A real window on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000 })

const electron = process.env['ELECTRON_PATH']
const app = fileURLToPath(new URL('../../apps/desktop', import.meta.url))
const preloadPath = join(app, 'dist/preload.cjs')
// Chromium's sandbox cannot start as root, as in a container; the window itself asks for it in every case.
const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), app]

let userData: string
let shell: ElectronApplication
/** Kept open, so that the shell does not end with the windows of a test. */
let first: Page
let stores = 0

beforeAll(async () => {
  if (electron === undefined) return
  userData = await mkdtemp(join(tmpdir(), 'palimpsest-desktop-'))
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const env = { ...Object.fromEntries(own), PALIMPSEST_USER_DATA: userData }
  shell = await _electron.launch({ executablePath: electron, args, env, timeout: 90_000 })
  first = await shell.firstWindow({ timeout: 90_000 })
})
afterAll(async () => {
  if (electron === undefined) return
  await shell.close()
  await rm(userData, { recursive: true, force: true, maxRetries: 5 })
})

/** Another window of the same page, as the shell would open it. */
async function openWindow(): Promise<Page> {
  const opened = shell.waitForEvent('window')
  await shell.evaluate(({ BrowserWindow }, preload) => {
    const another = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, contextIsolation: true } })
    // A page of ours that opens no memory, so that nobody but the test speaks to the mirror.
    void another.loadURL('app://palimpsest/icon.svg')
  }, preloadPath)
  const page = await opened
  await page.waitForLoadState()
  return page
}

type Shown = typeof globalThis & { readonly palimpsestDesktop: { readonly mirror: MirrorBridge } }

/** The bridge of a page, from outside. */
function bridgeOf(page: Page): MirrorBridge {
  const ask = <T>(call: keyof MirrorBridge, ...given: unknown[]): Promise<T> =>
    page.evaluate(
      ([name, values]) =>
        ((globalThis as Shown).palimpsestDesktop.mirror[name] as unknown as (...all: unknown[]) => Promise<T>)(...values),
      [call, given] as const,
    )
  return {
    list: store => ask('list', store),
    read: (store, name) => ask('read', store, name),
    create: (store, name) => ask('create', store, name),
    append: (file, bytes, flush) => ask('append', file, bytes, flush),
    closeFile: file => ask('closeFile', file),
    remove: (store, name, sizeBytes) => ask('remove', store, name, sizeBytes),
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe.skipIf(electron === undefined)('in the desktop window', () => {
  describeMirrorPlace(
    'The mirror',
    {
      open: async () => {
        const store = `store ${++stores}`
        const windows: Page[] = []
        const open = async (): Promise<MirrorPlace> => {
          const page = await openWindow()
          windows.push(page)
          return bridgedPlace(bridgeOf(page), store)
        }
        const crashAll = async (): Promise<void> => {
          for (const page of windows.splice(0)) {
            const window = await shell.browserWindow(page)
            await window.evaluate(one => one.webContents.forcefullyCrashRenderer())
            await window.evaluate(one => one.destroy())
          }
        }
        return {
          place: await open(),
          second: open,
          reopen: async () => {
            await crashAll()
            return open()
          },
          cleanup: crashAll,
        }
      },
    },
    { describe, test, expect },
  )

  test('a page that was loaded again holds nothing of what it held before', async () => {
    const page = await openWindow()
    const mirror = bridgeOf(page)
    const store = `store ${++stores}`
    const created = await mirror.create(store, 'log-1')
    const file = created.ok ? created.value : 0
    expect(await mirror.append(file, bytesOf('kept'), true)).toEqual({ ok: true, value: undefined })
    expect(await mirror.remove(store, 'log-1')).toEqual({ ok: true, value: false })
    await page.reload()
    expect(await mirror.append(file, bytesOf('late'), true)).toMatchObject({ ok: false, reason: 'closed' })
    expect(await mirror.read(store, 'log-1')).toEqual({ ok: true, value: bytesOf('kept') })
    expect(await mirror.remove(store, 'log-1')).toEqual({ ok: true, value: true })
    await page.close()
  })

  test('names that lead elsewhere are refused, and nothing outside of the mirror is touched', async () => {
    await writeFile(join(userData, 'outside'), 'somebody else')
    const mirror = bridgeOf(first)
    const before = (await readdir(userData)).toSorted()
    for (const name of ['../../outside', '../outside', '/etc/passwd', '..', '.', 'A', 'log 1', '']) {
      expect(await mirror.read('store', name), name).toMatchObject({ ok: false, reason: 'refused' })
      expect(await mirror.create('store', name), name).toMatchObject({ ok: false, reason: 'refused' })
      expect(await mirror.remove('store', name), name).toMatchObject({ ok: false, reason: 'refused' })
    }
    for (const store of ['..', '../..', '/']) expect(await mirror.list(store), store).toEqual({ ok: true, value: [] })
    expect(await mirror.list('x'.repeat(201))).toMatchObject({ ok: false, reason: 'refused' })
    expect(await mirror.append(1, 'text' as unknown as Uint8Array, true)).toMatchObject({ ok: false, reason: 'refused' })
    expect((await readdir(userData)).toSorted()).toEqual(before)
  })

  test('whoever is not our page gets nothing', async () => {
    // A page that is trusted as ours is, and not ours.
    const foreign = join(userData, 'foreign.html')
    await writeFile(foreign, '<p>somebody else</p>')
    const answer = await shell.evaluate(
      async ({ BrowserWindow }, [preload, file]) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, contextIsolation: true } })
        await window.loadFile(file)
        const said: unknown = await window.webContents.executeJavaScript(
          `palimpsestDesktop.mirror.list('store').then(() => 'answered', error => String(error))`,
        )
        window.destroy()
        return said
      },
      [preloadPath, foreign] as const,
    )
    expect(answer).toContain('Only the page of Palimpsest may ask')
  })
})
