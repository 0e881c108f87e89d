/** A write of unknown fate is tried again with the records that it had: whichever try lands, the answer is true of it. */
import { expect, test } from 'vitest'
import { FaultInjector } from './faulty-journal.ts'
import { LoggedStore } from './logged-store.ts'
import { openReplica, settled } from './replica.ts'
import { expectIntact } from './verdict.ts'

const LAGS = Array.from({ length: 9 }, (_, i) => i + 1)

test('what was told of a statement without an id of its own is what is stored, whenever the first try lands', async () => {
  let acknowledged = 0
  for (const lag of LAGS) {
    const store = new LoggedStore()
    const injector = new FaultInjector({ kind: 'timed out, lands late', at: 1, lag }, false)
    const { mine, service } = await openReplica(store, injector)
    injector.arm()
    // Together, so that each is tried again by itself.
    const answers = await Promise.allSettled(
      ['a', 'b', 'c'].map(subject => settled(mine.assert({ subject, attribute: 'x', value: subject }), subject)),
    )
    await injector.land()
    await service.refresh()
    const { mine: again, memory } = await openReplica(store)
    const stored = (await again.facts()).facts.map(({ id }) => id)
    for (const answer of answers) {
      if (answer.status === 'rejected') continue
      acknowledged++
      expect(stored, `lag ${lag}`).toContain(answer.value.id)
    }
    await expectIntact(memory)
  }
  expect(acknowledged).toBeGreaterThan(LAGS.length)
})
