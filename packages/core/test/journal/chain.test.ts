/** Every entry names the one before it. One that is whole in itself and follows another one is reported. */
import { expect, test } from 'vitest'
import { MemoryStore } from '../../src/index.ts'
import { decodeEntry, encodeEntry } from '../../src/journal/entry.ts'
import { open } from '../memory/open.ts'

test.each([
  ['in the tail', 5],
  ['right behind the image', 4],
])('%s', async (_where, seq) => {
  const store = new MemoryStore()
  const memory = await open({ store })
  for (let i = 1; i <= 6; i++) {
    await memory.tenant('acme').assert({ subject: `s${i}`, attribute: 'x', value: i })
    if (i === 3) await memory.checkpoint()
  }
  await memory.close()
  expect((await (await open({ store })).health()).quarantine).toEqual([])
  const decoded = decodeEntry(seq, store.entries.get(seq) ?? new Uint8Array(0))
  if ('problem' in decoded) throw new Error(decoded.reason)
  store.entries.set(seq, encodeEntry({ ...decoded.entry, prev: 'f'.repeat(64) }).bytes)
  const { quarantine } = await (await open({ store })).health()
  expect(quarantine).toEqual([{ what: `chain before entry ${seq}`, reason: 'does not match' }])
})
