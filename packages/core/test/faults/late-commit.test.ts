/** Scenario 9: the journal did not answer in time, the caller was told so and went on, and then the commit landed after all. */
import { describe, expect, test } from 'vitest'
import type { TenantMemory, WriteOptions } from '../../src/index.ts'
import { FaultInjector } from './faulty-journal.ts'
import { LoggedStore } from './logged-store.ts'
import { answerOf, openReplica } from './replica.ts'
import { storedLines } from './report.ts'
import { expectIntact } from './verdict.ts'

type Run = (mine: TenantMemory, options: WriteOptions) => Promise<unknown>

const when = { validFrom: '2026-01-01' }
const interval = '[2026-01-01T00:00:00Z, …)'

/** Each with the lines that it leaves. */
const WRITES: Readonly<Record<string, { readonly run: Run; readonly lines: readonly string[] }>> = {
  record: { run: (mine, options) => mine.record({ text: 'late', author: 'user' }, options), lines: ['late'] },
  assert: {
    run: (mine, options) => mine.assert({ subject: 's', attribute: 'x', value: 'late', ...when }, options),
    lines: [`s.x = late ${interval}`],
  },
  batch: {
    run: (mine, options) =>
      mine.batch(batch => {
        batch.assert({ subject: 's', attribute: 'x', value: 'late', ...when })
        batch.assert({ subject: 's', attribute: 'y', value: 'later', ...when })
      }, options),
    lines: [`s.x = late ${interval}`, `s.y = later ${interval}`],
  },
  correct: {
    run: (mine, options) => mine.correct('first', { value: 'late' }, options),
    lines: ['reject first', `first.x = late ${interval}`],
  },
}

/** Without the ids that the memory makes up for episodes. */
const linesOf = async (mine: TenantMemory): Promise<string[]> =>
  storedLines(await mine.records()).map(line => line.replace(/^episode .*: /, ''))

describe('9. A commit that timed out and landed late is not applied twice', () => {
  const LAGS = Array.from({ length: 9 }, (_, i) => i + 1)

  describe.each(Object.entries(WRITES))('%s', (name, { run, lines }) => {
    test.each(LAGS)('when it lands before the call after it that is number %i', async lag => {
      const store = new LoggedStore()
      const before = await openReplica(store)
      await before.mine.assert({ id: 'first', subject: 'first', attribute: 'x', value: 'there', ...when })
      await before.memory.close()
      const injector = new FaultInjector({ kind: 'timed out, lands late', at: 1, lag }, false)
      const { mine, service } = await openReplica(store, injector)
      injector.arm()
      let answer = await answerOf(run(mine, { key: 'the same' }), name)
      expect(injector.fired).toBe('append')
      const wasUnknown = answer.told === 'unknown'
      // Told or not, it goes on with something else, and then asks again.
      await mine.record({ id: 'other', text: 'meanwhile', author: 'user' })
      for (let i = 0; i < 3 && answer.told !== 'acknowledged'; i++) answer = await answerOf(run(mine, { key: 'the same' }), name)
      expect(answer.told).toBe('acknowledged')
      await injector.land()
      await service.refresh()
      const expected = [`first.x = there ${interval}`, 'meanwhile', ...lines].toSorted()
      expect((await linesOf(mine)).toSorted()).toEqual(expected)
      const again = await openReplica(store)
      expect((await linesOf(again.mine)).toSorted()).toEqual(expected)
      await expectIntact(again.memory)
      // Only where it landed before the caller looked could the caller be told.
      expect(wasUnknown).toBe(lag > 1)
    })
  })

  test('nor when nobody asks again, and several were asked for together', async () => {
    for (const lag of LAGS) {
      const store = new LoggedStore()
      const injector = new FaultInjector({ kind: 'timed out, lands late', at: 1, lag }, false)
      const { mine, service } = await openReplica(store, injector)
      injector.arm()
      const names = ['a', 'b', 'c']
      const answers = await Promise.all(
        names.map(id => answerOf(mine.assert({ id, subject: id, attribute: 'x', value: id, ...when }), id)),
      )
      await mine.record({ id: 'other', text: 'meanwhile', author: 'user' })
      await injector.land()
      await service.refresh()
      const again = await openReplica(store)
      const lines = await linesOf(again.mine)
      expect(await linesOf(mine)).toEqual(lines)
      for (const [i, id] of names.entries()) {
        const found = lines.filter(line => line === `${id}.x = ${id} ${interval}`).length
        const told = answers[i]?.told
        if (told === 'unknown') expect(found, id).toBeLessThanOrEqual(1)
        else expect(found, `${id}, lag ${lag}, ${told}`).toBe(told === 'acknowledged' ? 1 : 0)
      }
      await expectIntact(again.memory)
    }
  })
})
