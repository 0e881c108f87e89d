/** How a file may come and go: in one piece or byte by byte, watched, and broken off. */
import { MemoryError, type TenantMemory } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { exportFile, importFile, type FileSource } from '../src/index.ts'
import { comparable, exported, exportedText, openTenant } from './memories.ts'

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) {
    await Promise.resolve()
    yield bytes.subarray(from, from + size)
    yield new Uint8Array()
  }
}

/** One buffer for all chunks, as some readers do: what was yielded before is overwritten. */
async function* reused(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(size)
  for (let from = 0; from < bytes.length; from += size) {
    await Promise.resolve()
    const part = bytes.subarray(from, from + size)
    buffer.set(part)
    yield buffer.subarray(0, part.length)
  }
}

async function told(episodes = 3): Promise<TenantMemory> {
  const mine = await openTenant()
  await mine.batch(batch => {
    for (let i = 0; i < episodes; i++) {
      const from = batch.record({ text: `I like number ${i} 😀 李雷`, author: 'user' })
      batch.assert({ subject: 'mira', attribute: `likes ${i}`, value: i, from })
    }
  })
  return mine
}

test('a string, bytes, a Blob, a stream, chunks of any size: the same records', async () => {
  const mine = await told()
  const [bytes, records] = [await exported(mine), await mine.records()]
  const sources: readonly FileSource[] = [
    new TextDecoder().decode(bytes),
    bytes,
    Buffer.from(bytes),
    new Blob([bytes]),
    new File([bytes], 'mira.sgam.jsonl'),
    new Blob([bytes]).stream(),
    ...[1, 2, 3, 7, 64, 4096].map(size => pieces(bytes, size)),
    reused(bytes, 5),
    reused(bytes, 100),
    exportFile(mine),
  ]
  for (const source of sources) {
    const theirs = await openTenant()
    await (await importFile(theirs, source, { own: true })).apply()
    expect(await theirs.records()).toEqual(records)
  }
})

test('a source that fails half way writes nothing, and says what it said', async () => {
  const theirs = await openTenant()
  const bytes = await exported(await told())
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* pieces(bytes.subarray(0, 400), 100)
    throw new Error('the disk was taken out')
  }
  await expect(importFile(theirs, failing(), { own: true })).rejects.toThrow('the disk was taken out')
  expect(await theirs.records()).toEqual([])
})

test('a source that ends too early is closed where it stands', async () => {
  let closed = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        await Promise.resolve()
        yield new TextEncoder().encode('x'.repeat(65_536))
      }
    } finally {
      closed = true
    }
  }
  await expect(importFile(await openTenant(), endless(), { own: true })).rejects.toMatchObject({ code: 'FILE_INVALID' })
  expect(closed).toBe(true)
})

test('progress counts records up to their total', async () => {
  const mine = await told(800)
  const total = (await mine.records()).length
  const seen: [number, number][] = []
  let chunks = 0
  for await (const chunk of exportFile(mine, { onProgress: (done, of) => seen.push([done, of]) }))
    chunks += chunk.length > 0 ? 1 : 0
  expect(chunks).toBeGreaterThan(3)
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((a, b) => a - b))
  expect(seen.at(-1)).toEqual([total, total])
})

test('an export that is aborted ends with ABORTED and without its footer', async () => {
  const mine = await told(800)
  const stop = new AbortController()
  let text = ''
  const run = async (): Promise<void> => {
    for await (const chunk of exportFile(mine, { signal: stop.signal })) {
      text += new TextDecoder().decode(chunk)
      stop.abort()
    }
  }
  await expect(run()).rejects.toMatchObject({ code: 'ABORTED' })
  expect(text).not.toContain('"footer"')
})

test.each([0, 1])('an export that was aborted before it began gives no file, also of %d episodes', async episodes => {
  const chunks: Uint8Array[] = []
  const run = async (): Promise<void> => {
    for await (const chunk of exportFile(await told(episodes), { signal: AbortSignal.abort() })) chunks.push(chunk)
  }
  await expect(run()).rejects.toMatchObject({ code: 'ABORTED' })
})

test('an import that is aborted, before it begins or while it reads, writes nothing', async () => {
  const theirs = await openTenant()
  const bytes = await exported(await told())
  const before = importFile(theirs, bytes, { own: true, signal: AbortSignal.abort() })
  await expect(before).rejects.toMatchObject({ code: 'ABORTED' })
  const stop = new AbortController()
  async function* stopping(): AsyncGenerator<Uint8Array> {
    yield* pieces(bytes.subarray(0, 500), 50)
    stop.abort()
    yield* pieces(bytes.subarray(500), 50)
  }
  const during = importFile(theirs, stopping(), { own: true, signal: stop.signal })
  await expect(during).rejects.toMatchObject({ code: 'ABORTED' })
  const incoming = await importFile(theirs, bytes, { own: true })
  await expect(incoming.apply({ signal: AbortSignal.abort() })).rejects.toSatisfy(error => MemoryError.is(error, 'ABORTED'))
  expect(await theirs.records()).toEqual([])
})

test('the file shows one state, also where writes go on while it is written', async () => {
  const mine = await told(400)
  const before = await exportedText(mine)
  let file = ''
  for await (const chunk of exportFile(mine)) {
    file += new TextDecoder().decode(chunk)
    await mine.record({ text: 'meanwhile', author: 'user' })
  }
  expect(comparable(file)).toBe(comparable(before))
})
