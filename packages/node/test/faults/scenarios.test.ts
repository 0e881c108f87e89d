/** Scenarios 5, 6, 8, 9 and 10 in a directory; 11 is torn-file.test.ts. */
import { rmSync } from 'node:fs'
import type { MemoryError } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import { failure, quickDisk, watchedDisk } from '../journal/disks.ts'
import { filesIn, scratch } from '../journal/scratch.ts'
import { commit, expectIntact, numbersIn, openJournal, quarantineOf, upTo } from './numbered.ts'
import { FULL } from '../../../../test/support/size.ts'
import { Writer } from './writer.ts'

test('5. Two Node processes on one store: one works and the other is refused, data whole', { timeout: 600_000 }, async () => {
  const directory = scratch()
  const acknowledged = new Set<number>()
  for (let round = 1; round <= (FULL ? 12 : 2); round += 1) {
    const writers = [1, 2].map(i => new Writer(directory, (2 * round + i) * 100_000))
    await Promise.all(writers.map(writer => writer.ready()))
    const answers = await Promise.all(writers.map(writer => writer.open()))
    expect(answers.toSorted(), `round ${round}`).toEqual(['LOCKED', 'open'])
    const winner = writers[answers.indexOf('open')] as Writer
    // This process is a third one, and refused as well.
    await expect(openMemory({ directory })).rejects.toMatchObject({ code: 'LOCKED', details: { pid: winner.pid } })
    await winner.acknowledges(20)
    if (round % 2 === 0) await winner.kill()
    else await winner.close()
    for (const n of winner.acknowledged) acknowledged.add(n)
    const memory = await openMemory({ directory })
    const numbers = await numbersIn(memory)
    expect([...acknowledged].filter(n => !numbers.includes(n))).toEqual([])
    expect(await quarantineOf(memory)).toEqual([])
    await expectIntact(memory)
    await memory.close()
  }
})

test('6. Closed, deleted and made again under the same name, a store is clean and new', async () => {
  const directory = scratch()
  const memory = await openMemory({ directory })
  for (const n of upTo(3)) await commit(memory, n)
  await memory.checkpoint()
  const { storeId } = await memory.health()
  await memory.close()
  rmSync(directory, { recursive: true })
  const again = await openMemory({ directory })
  expect(await numbersIn(again)).toEqual([])
  expect((await again.health()).storeId).not.toBe(storeId)
  await commit(again, 7)
  await again.close()
  const later = await openMemory({ directory })
  expect(await numbersIn(later)).toEqual([7])
  expect(await quarantineOf(later)).toEqual([])
  await later.close()
})

test('8. close() drains what is queued', async () => {
  const directory = scratch()
  const memory = await openMemory({ directory })
  const order: string[] = []
  const calls = upTo(40).map(async n => {
    await commit(memory, n)
    order.push('commit')
  })
  const reading = memory.tenant('acme').facts({ limit: 1000 })
  const checkpoint = memory.checkpoint()
  const closing = memory.close().then(() => order.push('close'))
  await expect(commit(memory, 1_000)).rejects.toMatchObject({ code: 'CLOSED' })
  await Promise.all([...calls, checkpoint, closing])
  expect((await reading).facts).toHaveLength(40)
  expect(order).toEqual([...upTo(40).map(() => 'commit'), 'close'])
  expect(filesIn(directory)).not.toContain('lock.json')
  const again = await openMemory({ directory })
  expect(await numbersIn(again)).toEqual(upTo(40))
  expect((await again.health()).floor).toBe(40)
  await again.close()
})

test('9. A commit that timed out and landed late is not applied twice', async () => {
  const directory = scratch()
  let isLosing = false
  // The bytes are on disk, but the disk says that they are not, and cannot take them back either.
  const disk = watchedDisk(change => {
    if (isLosing && (change.op === 'sync' || change.op === 'truncate')) throw failure('EIO')
  }, quickDisk)
  const memory = await openJournal(await openJournalOn(disk, directory, {}))
  const write = (each: typeof memory) =>
    each.tenant('acme').assert({ id: 'late', subject: 's', attribute: 'x', value: 1 }, { key: 'the same' })
  await commit(memory, 1)
  isLosing = true
  await expect(write(memory)).rejects.toMatchObject({ code: 'NOT_STORED', details: { outcome: 'unknown' } })
  isLosing = false
  // Until it is opened again nobody can tell, and nothing is written.
  const refusal = await write(memory).then(
    () => undefined,
    (error: unknown) => error as MemoryError,
  )
  expect(refusal).toMatchObject({ code: 'NOT_STORED' })
  expect(await memory.tenant('acme').get('s', 'x')).toBeUndefined()
  await memory.close()
  const again = await openMemory({ directory })
  expect((await write(again)).id).toBe('late')
  const facts = await again.query("select count(*) as n from memory_facts where subject = 's'")
  expect(facts).toEqual([{ n: 1 }])
  expect((await again.tenant('acme').records()).filter(record => record.id === 'late')).toHaveLength(1)
  await expectIntact(again)
  await again.close()
})

test('10. A grouped write whose neighbour aborts is neither lost nor refused because of it', async () => {
  const directory = scratch()
  // There is room for small appends.
  const disk = watchedDisk(change => {
    if (change.op === 'write' && change.path.includes('journal-') && change.bytes.length > 60_000) throw failure('ENOSPC')
  }, quickDisk)
  const memory = await openJournal(await openJournalOn(disk, directory, {}))
  const large = `.${'x'.repeat(60_000)}`
  for (const [round, neighbour] of [1, 2, 3, 4].entries()) {
    const numbers = [1, 2, 3, 4].map(i => 10 * round + i)
    const results = await Promise.allSettled(numbers.map((n, i) => commit(memory, n, i + 1 === neighbour ? large : '')))
    expect(results.map(({ status }) => status)).toEqual([1, 2, 3, 4].map(i => (i === neighbour ? 'rejected' : 'fulfilled')))
    expect(results[neighbour - 1]).toMatchObject({ reason: { code: 'NOT_STORED', details: { reason: 'ENOSPC' } } })
  }
  const expected = upTo(34).filter(n => n % 10 > 0 && n % 10 < 5 && ![1, 12, 23, 34].includes(n))
  expect(await numbersIn(memory)).toEqual(expected)
  await memory.close()
  const again = await openMemory({ directory })
  expect(await numbersIn(again)).toEqual(expected)
  await again.close()
})
