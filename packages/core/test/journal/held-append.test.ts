/** While an append is under way nobody is told that it is done, and nobody reads what may not become durable. */
import { expect, test } from 'vitest'
import { MemoryError, MemoryJournal, type AppendOutcome, type StoredEntry } from '../../src/index.ts'
import { openOn } from '../memory/failing-journal.ts'

/** Its appends wait until they are let go, or refused. */
class HeldJournal extends MemoryJournal {
  readonly held: (() => void)[] = []
  isRefusing = false

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    await new Promise<void>(resolve => this.held.push(resolve))
    if (this.isRefusing) throw new MemoryError('NOT_STORED', 'The disk is full', { reason: 'quota' })
    return super.append(entries)
  }
}

/** More than any call in memory takes. */
async function someTurns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => void setImmediate(resolve))
}

test.each([false, true])('a read that was asked for meanwhile waits for what becomes of it; refused: %s', async isRefusing => {
  const journal = new HeldJournal()
  const mine = (await openOn(journal)).tenant('acme')
  const events: string[] = []
  const writing = mine.assert({ subject: 's', attribute: 'a', value: 1 }).then(
    () => events.push('acknowledged'),
    (error: unknown) => events.push((error as MemoryError).code),
  )
  await expect.poll(() => journal.held.length).toBe(1)
  const reading = mine.facts().then(({ facts }) => events.push(`read ${facts.length}`))
  await someTurns()
  expect(events).toEqual([])
  journal.isRefusing = isRefusing
  journal.held[0]?.()
  await Promise.all([writing, reading])
  expect(events).toEqual(isRefusing ? ['NOT_STORED', 'read 0'] : ['acknowledged', 'read 1'])
})
