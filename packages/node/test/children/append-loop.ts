/**
 * Waits for a word on standard input, then appends to the store in argv[2] until it is killed, and folds entries into
 * images and changes keys now and then. Prints `ready`, `open`, and then acknowledgements: numbers of entries whose append has settled.
 *
 * Every entry holds its own number, and so does every image hold the numbers folded into it.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { StoredEntry } from '@palimpsest/core'
import { openDirectoryJournal } from '../../src/journal/open-directory.ts'

const bytesOf = (value: unknown): Uint8Array => Uint8Array.from(Buffer.from(JSON.stringify(value)))

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
const journal = await openDirectoryJournal(process.argv[2] ?? '')
let { head, floor, generation, deltas } = await journal.state()
writeSync(1, 'open\n')

for (let round = 1; ; round += 1) {
  // One, two or three entries, of a few bytes to some tens of kilobytes.
  const entries: StoredEntry[] = Array.from({ length: 1 + (round % 3) }, (_, i) => {
    const seq = head + 1 + i
    return { seq, bytes: bytesOf({ seq, padding: 'x'.repeat(round % 7 === 0 ? 40_000 : round) }) }
  })
  const outcome = await journal.append(entries)
  if (outcome !== 'appended') throw new Error(`append of ${head + 1}: ${outcome}`)
  head += entries.length
  // Synchronous: an acknowledgement that was printed must not be lost with the process.
  writeSync(1, `${head}\n`)

  if (round % 20 === 0) {
    generation += 1
    const segments = [bytesOf({ upTo: head }), bytesOf('x'.repeat(100_000))]
    if (!(await journal.saveBase({ generation, segments, floor: head }))) throw new Error('saveBase')
    await journal.dropBefore(generation, floor)
    floor = head
    deltas = 0
    const revision = ((await journal.readKeyring())?.revision ?? 0) + 1
    if (!(await journal.writeKeyring({ revision, bytes: bytesOf({ revision }) }))) throw new Error('writeKeyring')
  } else if (round % 5 === 0 && generation > 0) {
    deltas += 1
    const delta = { generation, n: deltas, bytes: bytesOf({ upTo: head }), floor: head }
    if (!(await journal.saveDelta(delta))) throw new Error('saveDelta')
    floor = head
  }
}
