/** Scenario 10: writes that are asked for in one turn share an append; what becomes of one is no matter of the others. */
import { describe, expect, test } from 'vitest'
import { createClient, localTransport, MemoryError, openService, type AppendOutcome, type StoredEntry } from '../../src/index.ts'
import { WRITE_FAULTS, type FaultKind } from './fault-kinds.ts'
import { FaultInjector } from './faulty-journal.ts'
import { LoggedJournal, LoggedStore } from './logged-store.ts'
import { answerOf, openReplica, type Answer } from './replica.ts'
import { storedLines } from './report.ts'

const when = { validFrom: '2026-01-01' }
const line = (id: string): string => `${id}.x = ${id} [2026-01-01T00:00:00Z, …)`
const NAMES = ['a', 'b', 'c', 'd', 'e']
const LARGE = 'z'.repeat(60_000)

/** Stores no append with a large entry in it, whatever else is in it. */
class SmallJournal extends LoggedJournal {
  appends = 0
  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    this.appends++
    if (entries.some(({ bytes }) => bytes.length > LARGE.length))
      throw new MemoryError('NOT_STORED', 'There is no room for it', { reason: 'quota' })
    return super.append(entries)
  }
}

async function openSmall(store: LoggedStore) {
  const journal = new SmallJournal(store)
  const memory = createClient(localTransport(await openService({ journal })))
  return { journal, mine: memory.tenant('acme', { actor: 'user' }) }
}

const toldOf = (answers: readonly Answer[]): string[] => answers.map(({ told }) => told)

describe('10. A grouped write whose neighbour aborts is neither lost nor refused because of it', () => {
  test.each(NAMES)('the store has no room for %s', async large => {
    const store = new LoggedStore()
    const { journal, mine } = await openSmall(store)
    const answers = await Promise.all(
      NAMES.map(id =>
        answerOf(
          id === large
            ? mine.record({ id, text: LARGE, author: 'user' })
            : mine.assert({ id, subject: id, attribute: 'x', value: id, ...when }),
          id,
        ),
      ),
    )
    // The first append was for all of them.
    expect(journal.appends).toBe(1 + NAMES.length)
    expect(toldOf(answers)).toEqual(NAMES.map(id => (id === large ? 'refused' : 'acknowledged')))
    const expected = NAMES.filter(id => id !== large).map(line)
    expect(storedLines(await mine.records())).toEqual(expected)
    expect(storedLines(await (await openReplica(store)).mine.records())).toEqual(expected)
  })

  test.each(NAMES)('the signal of %s is aborted', async aborted => {
    const store = new LoggedStore()
    const { journal, mine } = await openSmall(store)
    const controller = new AbortController()
    const results = Promise.allSettled(
      NAMES.map(id =>
        mine.assert({ id, subject: id, attribute: 'x', value: id, ...when }, id === aborted ? { signal: controller.signal } : {}),
      ),
    )
    // They are queued, and have not run.
    controller.abort()
    expect((await results).map(result => (result.status === 'rejected' ? (result.reason as MemoryError).code : 'done'))).toEqual(
      NAMES.map(id => (id === aborted ? 'ABORTED' : 'done')),
    )
    expect(journal.appends).toBe(1)
    expect(storedLines(await (await openReplica(store)).mine.records())).toEqual(NAMES.filter(id => id !== aborted).map(line))
  })

  test('what was refused because of the neighbour is done when the neighbour was not', async () => {
    const store = new LoggedStore()
    const { mine } = await openSmall(store)
    const slot = { subject: 's', attribute: 'x', ...when }
    const answers = await Promise.all([
      answerOf(
        mine.batch(batch => {
          batch.assert({ ...slot, id: 'neighbour', value: 'theirs' })
          batch.record({ text: LARGE, author: 'user' })
        }),
        'neighbour',
      ),
      // At the same second, another value: a conflict, if the neighbour were there.
      answerOf(mine.assert({ ...slot, id: 'own', value: 'ours' }), 'own'),
      answerOf(mine.confirm('neighbour'), 'confirm'),
    ])
    expect(toldOf(answers)).toEqual(['refused', 'acknowledged', 'refused'])
    expect(answers[2]).toMatchObject({ error: { code: 'NOT_FOUND' } })
    expect((await (await openReplica(store)).mine.get('s', 'x', { at: '2026-06-01' }))?.value).toBe('ours')
  })

  test.each(WRITE_FAULTS)('their append was met by a fault: %s', async kind => {
    const store = new LoggedStore()
    const injector = new FaultInjector({ kind, at: 1, lag: 2 }, false)
    const { mine, service } = await openReplica(store, injector)
    injector.arm()
    const answers = await Promise.all(
      NAMES.map(id => answerOf(mine.assert({ id, subject: id, attribute: 'x', value: id, ...when }), id)),
    )
    expect(injector.fired).toBe('append')
    expect(toldOf(answers)).toEqual(expectedOf(kind))
    await injector.land()
    await service.refresh()
    expect(storedLines(await mine.records())).toEqual(NAMES.map(line))
    expect(storedLines(await (await openReplica(store)).mine.records())).toEqual(NAMES.map(line))
  })
})

/** One by one they find their way. */
function expectedOf(kind: FaultKind): string[] {
  // Not where the journal writes no more: what it has of all of them shows when it is opened again.
  if (kind === 'unknown until opened again') return NAMES.map(() => 'unknown')
  // Where nothing can be read for a while, the first cannot be told that it did.
  const first = kind === 'aborted, then unreadable' ? 'unknown' : 'acknowledged'
  return [first, ...NAMES.slice(1).map(() => 'acknowledged')]
}
