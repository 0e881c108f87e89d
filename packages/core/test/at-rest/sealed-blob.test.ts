/** What a sealed blob is bound to, and what is not taken for one. */
import { expect, test } from 'vitest'
import { isSealed, openBlob, sealBlob, type BlobPlace } from '../../src/at-rest/sealed-blob.ts'
import { StoreKeys } from '../../src/at-rest/store-keys.ts'
import { MemoryJournal } from '../../src/journal/memory-journal.ts'

const CONTENT = Uint8Array.from({ length: 100 }, (_, i) => i)
const NOTHING = new Uint8Array(0)
const HERE: BlobPlace = { kind: 'segment', generation: 1, index: 1 }

const newKeys = (): Promise<StoreKeys> => StoreKeys.open(new MemoryJournal(), undefined, 'a store', { kind: 'device' })

test('it opens at its own place alone: kind, number, generation, index', async () => {
  const keys = await newKeys()
  const places: BlobPlace[] = [
    HERE,
    { kind: 'delta', generation: 1, index: 1 },
    { kind: 'segment', generation: 2, index: 1 },
    { kind: 'segment', generation: 1, index: 2 },
    { kind: 'entry', seq: 1 },
    { kind: 'entry', seq: 11 },
  ]
  for (const place of places) {
    const blob = await sealBlob(keys, place, CONTENT)
    for (const other of places) expect(await openBlob(keys, other, blob)).toEqual(other === place ? CONTENT : NOTHING)
  }
})

test('it does not open in another store, even under the same key', async () => {
  const keys = await newKeys()
  const blob = await sealBlob(keys, HERE, CONTENT)
  const elsewhere = (storeId: string): StoreKeys =>
    ({
      storeId,
      find: (id: number) => keys.find(id),
      cipher: (entry: { id: number; key: string }) => keys.cipher(entry),
    }) as never
  expect(await openBlob(elsewhere('a store'), HERE, blob)).toEqual(CONTENT)
  expect(await openBlob(elsewhere('another store'), HERE, blob)).toEqual(NOTHING)
})

test('no nonce comes twice, though place and content are the same', async () => {
  const keys = await newKeys()
  const nonces = new Set<string>()
  for (let i = 0; i < 500; i++) {
    const blob = await sealBlob(keys, HERE, CONTENT)
    nonces.add(Buffer.from(blob.subarray(12, 24)).toString('hex'))
  }
  expect(nonces.size).toBe(500)
})

test('bytes without its header are nothing in a store that was never without encryption', async () => {
  expect(isSealed(CONTENT)).toBe(false)
  expect(await openBlob(await newKeys(), HERE, CONTENT)).toEqual(NOTHING)
})
