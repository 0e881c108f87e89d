/** Opens the memory in argv[2], stores argv[3] MB in one commit, closes it, and ends. */
import { openMemory } from '../../src/index.ts'

const EPISODE_BYTES = 250_000

const memory = await openMemory({ directory: process.argv[2] ?? '' })
await memory.tenant('acme').batch(batch => {
  for (let n = 1; n <= (Number(process.argv[3]) * 1_000_000) / EPISODE_BYTES; n += 1)
    batch.record({ id: `e${n}`, text: `text ${n} `.padEnd(EPISODE_BYTES, 'long '), author: 'user', at: '2026-01-01T00:00:00Z' })
})
await memory.close()
