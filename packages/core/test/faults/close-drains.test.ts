/** Scenario 8: what was asked for before `close` is done before it settles, however slow the journal is. */
import { expect, test } from 'vitest'
import { createClient, localTransport, openService, type AppendOutcome, type StoredEntry } from '../../src/index.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { FaultInjector, turns } from './faulty-journal.ts'
import { LoggedJournal, LoggedStore } from './logged-store.ts'
import { answerOf, openReplica, settled } from './replica.ts'
import { storedLines } from './report.ts'

class SlowJournal extends LoggedJournal {
  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    await turns(5)
    return super.append(entries)
  }
}

const NAMES = Array.from({ length: 12 }, (_, i) => `n${String(i).padStart(2, '0')}`)
const line = (id: string): string => `${id}.x = ${id} [2026-01-01T00:00:00Z, …)`

test('8. close() drains what is queued', async () => {
  const store = new LoggedStore()
  const memory = createClient(localTransport(await openService({ journal: new SlowJournal(store) })))
  const mine = memory.tenant('acme', { actor: 'user' })
  const order: string[] = []
  const say = (name: string) => (): void => void order.push(name)
  const calls = NAMES.flatMap(id => [
    mine.assert({ id, subject: id, attribute: 'x', value: id, validFrom: '2026-01-01' }).then(say(id)),
    // A reading between them, so that each write is a round of its own.
    mine.facts().then(say('facts')),
  ])
  const checkpoint = memory.checkpoint().then(say('checkpoint'))
  const closing = memory.close().then(say('close'))
  await expect(mine.facts()).rejects.toMatchObject({ code: 'CLOSED' })
  await expect(mine.record({ text: 'late', author: 'user' })).rejects.toMatchObject({ code: 'CLOSED' })
  await settled(Promise.all([...calls, checkpoint, closing]), 'close')
  expect(order.filter(name => name !== 'checkpoint')).toEqual([...NAMES.flatMap(id => [id, 'facts']), 'close'])
  const again = await openReplica(store)
  expect(storedLines(await again.mine.records())).toEqual(NAMES.map(line))
  expect((await again.memory.health()).floor).toBe(NAMES.length)
})

test.each(FAULT_KINDS)('a fault on the way changes nothing about it: %s', async kind => {
  for (let at = 1; at < 12; at++) {
    const store = new LoggedStore()
    const injector = new FaultInjector({ kind, at, lag: 2 }, false)
    const { memory, mine } = await openReplica(store, injector)
    injector.arm()
    const calls = NAMES.map(async id => {
      const answer = answerOf(mine.assert({ id, subject: id, attribute: 'x', value: id, validFrom: '2026-01-01' }), id)
      void mine.facts().catch(() => undefined)
      return answer
    })
    // It lets go, or says why not; it never waits for ever.
    const closing = answerOf(memory.close(), 'close')
    const answers = await Promise.all(calls)
    await closing
    await injector.land()
    const lines = new Set(storedLines(await (await openReplica(store)).mine.records()))
    for (const [i, id] of NAMES.entries()) {
      const told = answers[i]?.told
      if (told !== 'unknown') expect(lines.has(line(id)), `${id}, at ${at}: ${told}`).toBe(told === 'acknowledged')
    }
  }
})
