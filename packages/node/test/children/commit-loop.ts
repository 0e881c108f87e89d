/**
 * Opens the memory in argv[2] and commits numbers from argv[3] on until it is killed, one to four at once, with checkpoints
 * in between. Prints `ready`, waits for a line, prints `open` or the code of its refusal, and then each number once its
 * commit is acknowledged. `close` on standard input ends it: it prints `closed`.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { MemoryError } from '@palimpsest/core'
import { openMemory } from '../../src/index.ts'

// Synchronous: an acknowledgement that was printed must not be lost with the process.
const say = (line: string): void => void writeSync(1, `${line}\n`)

say('ready')
await once(process.stdin, 'data')
const memory = await openMemory({ directory: process.argv[2] ?? '' }).catch((error: unknown) => {
  if (!MemoryError.is(error)) throw error
  say(error.code)
  process.exit(0)
})
say('open')
const asked = { toClose: false }
process.stdin.on('data', () => (asked.toClose = true))

let next = Number(process.argv[3])
for (let round = 1; !asked.toClose; round += 1) {
  const numbers = Array.from({ length: 1 + (round % 4) }, () => next++)
  await Promise.all(
    numbers.map(async n => {
      await memory.tenant('acme').batch(batch => {
        batch.record({ id: `e${n}`, text: `text ${n}`, author: 'user', at: '2026-01-01T00:00:00Z' })
        batch.assert({ id: `a${n}`, subject: `s${n}`, attribute: 'x', value: n, from: `e${n}` })
      })
      say(String(n))
    }),
  )
  if (round % 15 === 0) await memory.checkpoint()
}
await memory.close()
say('closed')
process.exit(0)
