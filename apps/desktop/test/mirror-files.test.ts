/** The shell's files keep the contract of a mirror's place, as the page speaks to them; and what is special about them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bridgedPlace, type MirrorBridge } from '@palimpsest/browser'
import { MemoryError } from '@palimpsest/core'
import { describeMirrorPlace } from '@palimpsest/core/mirror-contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toAnswer } from '../src/mirror-answer.ts'
import { MAX_APPEND_BYTES, checkedAppend, checkedFile, checkedName, checkedPage, checkedStore } from '../src/mirror-channels.ts'
import { MirrorFiles } from '../src/mirror-files.ts'

const PAGES = ['one', 'two', 'three']

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-mirror-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Whatever a test leaves open is closed when it has finished. */
function filesIn(root: string): MirrorFiles {
  const files = new MirrorFiles(root)
  onTestFinished(() => Promise.all(PAGES.map(page => files.release(page))).then(() => {}))
  return files
}

/** As the channels answer, without Electron in between. */
function bridgeTo(files: MirrorFiles, page: string): MirrorBridge {
  return {
    list: store => toAnswer(() => files.list(store)),
    read: (store, name) => toAnswer(() => files.read(store, name)),
    create: (store, name) => toAnswer(() => files.create(page, store, name)),
    append: (file, bytes, flush) => toAnswer(() => files.append(page, file, bytes, flush)),
    closeFile: file => toAnswer(() => files.closeFile(page, file)),
    remove: (store, name, sizeBytes) => toAnswer(() => files.remove(store, name, sizeBytes)),
  }
}

describeMirrorPlace(
  "The shell's files, behind the bridge,",
  {
    open: () => {
      const root = scratch()
      let files = filesIn(root)
      let opened = 0
      const open = () => Promise.resolve(bridgedPlace(bridgeTo(files, PAGES[opened++] ?? ''), 'store'))
      return open().then(place => ({
        place,
        second: open,
        // The shell dies as it stands.
        reopen: () => {
          files = filesIn(root)
          return open()
        },
        cleanup: () => Promise.resolve(),
      }))
    },
  },
  { describe, test, expect },
)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The reason that a call which fails gives; undefined for one that does not. */
async function failure(promise: Promise<unknown>): Promise<string | undefined> {
  const answer = await toAnswer(() => promise)
  return answer.ok ? undefined : answer.reason
}

describe('a page', () => {
  test('that is gone holds nothing, and appends nothing more; another keeps what it holds', async () => {
    const files = filesIn(scratch())
    const mine = await files.create('one', 'store', 'log-1')
    const theirs = await files.create('two', 'store', 'log-2')
    const append = files.append('one', mine, bytesOf('on its way'), true)
    await files.release('one')
    await append
    expect(await failure(files.append('one', mine, bytesOf('late'), false))).toBe('closed')
    expect(new TextDecoder().decode(await files.read('store', 'log-1'))).toBe('on its way')
    expect(await files.remove('store', 'log-1')).toBe(true)
    expect(await files.remove('store', 'log-2')).toBe(false)
    await files.append('two', theirs, bytesOf('on'), false)
    await files.release('one')
    await files.release('two')
    expect(await files.remove('store', 'log-2')).toBe(true)
  })

  test('that goes while its file is being made does not get it', async () => {
    const files = filesIn(scratch())
    const creating = files.create('one', 'store', 'log-1')
    await files.release('one')
    expect(await failure(creating)).toBe('closed')
    expect(await files.remove('store', 'log-1')).toBe(true)
  })

  test('cannot append to what another page holds, nor close it', async () => {
    const files = filesIn(scratch())
    const file = await files.create('one', 'store', 'log-1')
    expect(await failure(files.append('two', file, bytesOf('intruder'), false))).toBe('closed')
    await files.closeFile('two', file)
    await files.append('one', file, bytesOf('mine'), false)
    expect(new TextDecoder().decode(await files.read('store', 'log-1'))).toBe('mine')
  })
})

describe('on disk', () => {
  test.skipIf(process.platform === 'win32')('folders and files are for their owner alone', async () => {
    const root = join(scratch(), 'mirror')
    const files = filesIn(root)
    await files.append('one', await files.create('one', 'My store', 'log-1'), bytesOf('x'), true)
    const [folder] = readdirSync(root)
    expect(folder).toMatch(/^my-store-[0-9a-f]{32}$/)
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
    expect([root, join(root, folder ?? '')].map(modeOf)).toEqual(['700', '700'])
    expect(modeOf(join(root, folder ?? '', 'log-1'))).toBe('600')
  })

  test('stores whose names differ do not share a folder, whatever the names hold', async () => {
    const root = scratch()
    const files = filesIn(root)
    const stores = ['a', 'A', 'a/b', 'a-b', 'a\\b', '..', '../..', 'ä', '\ud800', '\ud801', 'x'.repeat(200), 'con', '\0']
    for (const store of stores)
      await files.append('one', await files.create('one', store, 'log-1'), bytesOf(store.length.toString()), false)
    expect(readdirSync(root).map(name => name.toLowerCase()).length).toBe(stores.length)
    expect(new Set(readdirSync(root).map(name => name.toLowerCase())).size).toBe(stores.length)
    for (const store of stores) expect(await files.list(store)).toEqual(['log-1'])
  })

  test('a write that does not fit says why, leaves no part behind, and the next one goes on', async context => {
    const root = scratch()
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', root], { stdio: 'ignore' })
    } catch {
      return context.skip('mounting a small tmpfs needs root')
    }
    onTestFinished(() => void execFileSync('umount', [root]))
    const place = bridgedPlace(bridgeTo(filesIn(root), 'one'), 'store')
    const file = await place.create('log-1')
    await file.append(new Uint8Array(50_000).fill(1))
    const error: unknown = await file.append(new Uint8Array(500_000)).catch((reason: unknown) => reason)
    expect(MemoryError.is(error, 'NOT_STORED') && error.details).toEqual({ reason: 'ENOSPC' })
    await file.append(Uint8Array.of(2), { flush: true })
    await place.close()
    const [folder] = readdirSync(root)
    const content = readFileSync(join(root, folder ?? '', 'log-1'))
    expect(content.length).toBe(50_001)
    expect(content.at(-1)).toBe(2)
  })

  test('where no folder can be made the mirror says so', async () => {
    const root = join(scratch(), 'taken')
    writeFileSync(root, 'somebody else')
    const files = filesIn(root)
    expect(await failure(files.create('one', 'store', 'log-1'))).toBe('ENOTDIR')
    expect(await failure(files.remove('store', 'log-1'))).toBe('ENOTDIR')
    expect(readFileSync(root, 'utf8')).toBe('somebody else')
  })
})

describe('what a page hands over', () => {
  test('is taken where it is what it should be', () => {
    expect(checkedPage('0f8fad5b-d9cb-469f-a165-70867728950e')).toBe('0f8fad5b-d9cb-469f-a165-70867728950e')
    expect(checkedStore('any / store')).toBe('any / store')
    for (const name of ['0', 'log-0f3a', 'base-12-345-0f3a', 'a.b', `a${'b'.repeat(98)}c`]) expect(checkedName(name)).toBe(name)
    expect(checkedFile(7)).toBe(7)
    expect(checkedAppend(Uint8Array.of(1), true)).toEqual({ bytes: Uint8Array.of(1), flush: true })
  })

  test.each([
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    '../a',
    'A',
    'a b',
    'a\0',
    '.a',
    'a.',
    '-a',
    'a-',
    'ä',
    'a\n',
    'b'.repeat(101),
    7,
    undefined,
  ])('the name %j is refused', name => {
    expect(() => checkedName(name)).toThrow(TypeError)
  })

  test('and nothing else', () => {
    for (const page of ['', 'page', 7, undefined, {}]) expect(() => checkedPage(page)).toThrow(TypeError)
    for (const store of ['', 'x'.repeat(201), 7, undefined, ['a']]) expect(() => checkedStore(store)).toThrow(TypeError)
    for (const file of ['7', 1.5, Number.NaN, undefined]) expect(() => checkedFile(file)).toThrow(TypeError)
    for (const bytes of ['text', [1], new ArrayBuffer(1), undefined]) expect(() => checkedAppend(bytes, false)).toThrow(TypeError)
    for (const flush of ['true', 1, undefined]) expect(() => checkedAppend(Uint8Array.of(1), flush)).toThrow(TypeError)
    expect(() => checkedAppend(new Uint8Array(MAX_APPEND_BYTES + 1), false)).toThrow(RangeError)
  })
})
