/** Scenarios of several tabs by their numbers, and locks that somebody never gives back. */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PATIENT, count, counted, expectSame, expectWhole, range, say } from './fixtures/counting.ts'
import { FULL } from '../support/size.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs()
})
afterAll(() => tabs?.close())
afterEach(() => Promise.all(tabs.browser.context.pages().map(page => page.close())))

function open(page: Page, name: string): Promise<string> {
  return page.evaluate(store => window.tab.code(window.tab.open({ name: store })), name)
}

/** Begins to write values of `mira`, and does not wait: their codes are in `window.codes` once all have settled. */
function begin(page: Page, first: number, end: number): Promise<void> {
  return page.evaluate(
    ([from, to]) => {
      const mine = window.tab.memory.tenant('home')
      const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000)
      const values = Array.from({ length: to - from }, (_, i) => from + i)
      const codes = Promise.all(
        values.map(n => window.tab.code(mine.assert({ subject: 'mira', attribute: 'counter', value: n, validFrom: second(n) }))),
      )
      Object.assign(window, { codes })
    },
    [first, end] as const,
  )
}

test('scenario 3: the tab in mid-call closes: the other tab’s next write succeeds, its pending calls settle within the deadline', async () => {
  const store = 'scenario 3'
  const other = await tabs.blank()
  // A call that were not answered in this time would lose the worker, and with it every call.
  await other.evaluate(async name => void (await window.tab.open({ name, callTimeoutMs: 90_000 })), store)
  for (const round of range(3)) {
    const closing = await tabs.open(store)
    const first = 100 * round
    await begin(closing, first, first + 40)
    await begin(other, first + 40, first + 60)
    // With the last round it is closed the way that leaves no time for anything.
    await (round < 2 ? closing.close() : closing.goto('about:blank'))
    await count(other, 'mira', first + 60, first + 61)
    const codes = await other.evaluate(() => (window as Window & { codes?: Promise<string[]> }).codes)
    expect(codes).toEqual(range(20).map(() => 'settled'))
  }
  const fresh = await tabs.open(store)
  const values = await counted(other, 'mira')
  expect(values).toEqual([...new Set(values)])
  // Calls of a tab that is gone are there or not, each as a whole; those of the other one are.
  for (const round of range(3)) expect(values).toEqual(expect.arrayContaining(range(21).map(n => 100 * round + 40 + n)))
  await expectSame([other, fresh])
  await expectWhole(other, store)
})

test('scenario 4: the page’s main thread is blocked for 2 s while booting: ready state is right afterwards', async () => {
  const page = await tabs.blank()
  // From the first moment, in the handshake, while the store opens, and about when it is ready.
  for (const afterMs of [0, 30, 150, 600]) {
    const store = `scenario 4, ${afterMs}`
    const state = await page.evaluate(
      async ([name, ms]) => {
        const opening = window.tab.open({ name, heartbeatMs: 4_000 })
        let ready = false
        void opening.then(() => (ready = true))
        if (ms > 0) await new Promise(resolve => setTimeout(resolve, ms))
        const untilMs = performance.now() + 2_000
        while (performance.now() < untilMs);
        const memory = await opening
        const lost: string[] = []
        memory.on(event => void (event.type === 'lost' && lost.push(event.reason)))
        const { status } = await memory.tenant('home').assert({ subject: 'mira', attribute: 'counter', value: 7 })
        const value = (await memory.tenant('home').get('mira', 'counter'))?.value
        const { engine, head } = await memory.health()
        return { ready, status, value, engine, head, lost }
      },
      [store, afterMs] as const,
    )
    expect(state).toEqual({ ready: true, status: 'accepted', value: 7, engine: 'indexeddb', head: 1, lost: [] })
    await expectWhole(page, store)
    await page.evaluate(() => window.tab.memory.close())
  }
})

test('scenario 5: two windows on one store: both work, data whole', async () => {
  const store = 'scenario 5'
  const first = await tabs.open(store)
  // A window that the page opens itself lives in the same process, which a tab of its own does not.
  const opened = tabs.browser.context.waitForEvent('page')
  await first.evaluate(() => void window.open(location.href, '', 'popup,width=400,height=300'))
  const second = await opened
  await second.waitForFunction(() => 'tab' in window)
  expect(await open(second, store)).toBe('settled')
  await Promise.all([count(first, 'mira', 0, 50), count(second, 'mira', 50, 100)])
  await Promise.all([first, second].map(page => page.evaluate(() => window.tab.memory.checkpoint())))
  await expectSame([first, second])
  await second.close()
  await count(first, 'mira', 100, 101)
  expect(await counted(first, 'mira')).toEqual(range(101))
  await expectWhole(first, store)
})

describe('scenario 7: a second tab never gets an empty or in-memory database without saying so', () => {
  test('opened while the first one writes: all that was acknowledged before is there, on the disk', async () => {
    const first = await tabs.open('second')
    for (const end of [10, 20, 30, 40]) {
      await count(first, 'mira', end - 10, end)
      await begin(first, 1_000 * end, 1_000 * end + 10)
      const second = await tabs.open('second')
      expect((await counted(second, 'mira')).slice(0, end)).toEqual(expect.arrayContaining(range(10).map(n => end - 10 + n)))
      const health = await second.evaluate(() => window.tab.memory.health())
      expect(health).toMatchObject({ engine: 'indexeddb', durability: 'strict' })
      expect(health.storeId).toBe((await first.evaluate(() => window.tab.memory.health())).storeId)
      await second.close()
    }
  })

  test.runIf(FULL)('while a deletion waits for somebody who does not let go: it says so in time, and holds nothing', async () => {
    const first = await tabs.open('deletion')
    await count(first, 'mira', 0, 5)
    const rude = await tabs.blank()
    await rude.evaluate(async () => {
      const request = indexedDB.open('palimpsest:deletion')
      await new Promise(resolve => (request.onsuccess = resolve))
      Object.assign(window, { held: request.result })
      indexedDB.deleteDatabase('palimpsest:deletion')
    })
    const second = await tabs.blank()
    expect(await open(second, 'deletion')).toBe('STORE_UNAVAILABLE')
    expect(await second.evaluate(() => window.tab.memory === undefined)).toBe(true)
    // The first one still shows what it holds, and does not pretend to store more.
    expect(await counted(first, 'mira')).toEqual(range(5))
    expect(await say(first, 'mira', 9)).toBe('STORE_UNAVAILABLE')
    // Deleted in the end, it is not empty without a word: the mirror brings it back, and the memory says that it did.
    await rude.close()
    await expect.poll(() => open(second, 'deletion'), PATIENT).toBe('settled')
    expect((await second.evaluate(() => window.tab.memory.health())).restored?.wasEmpty).toBe(true)
    expect(await counted(second, 'mira')).toEqual(range(5))
  })
})

test('scenario 8: what was asked of a worker before close is stored, also right after it is up; later calls are CLOSED', async () => {
  const store = 'scenario 8'
  const page = await tabs.blank()
  for (const round of range(3)) {
    const codes = await page.evaluate(
      async ([name, n]) => {
        const memory = await window.tab.open({ name })
        const mine = memory.tenant('home')
        const second = (value: number): Date => new Date(Date.UTC(2026, 0, 1) + value * 1_000)
        const write = (value: number): Promise<string> =>
          window.tab.code(mine.assert({ subject: 'mira', attribute: 'counter', value, validFrom: second(value) }))
        const writing = Array.from({ length: 40 }, (_, i) => write(40 * n + i))
        const closing = memory.close()
        const late = write(1_000 + n)
        await closing
        // Whatever has not settled when `close` has is called pending.
        const settled = await Promise.race([
          Promise.all(writing),
          new Promise<string>(resolve => setTimeout(resolve, 0, 'pending')),
        ])
        return { settled, late: await late }
      },
      [store, round] as const,
    )
    expect(codes).toEqual({ settled: range(40).map(() => 'settled'), late: 'CLOSED' })
  }
  const fresh = await tabs.open(store)
  expect(await counted(fresh, 'mira')).toEqual(range(120))
  await expectWhole(fresh, store)
})

test('scenario 12: a generation switch while another tab opens: it restarts its reading, never reports corruption', async () => {
  const store = 'scenario 12'
  const compacting = await tabs.open(store)
  await count(compacting, 'mira', 0, 200)
  await compacting.evaluate(() => {
    const state = Object.assign(window, { enough: false, generations: 0 })
    const going = (async () => {
      // Each time new keys, a new base, and everything before it gone.
      for (; !state.enough; state.generations += 1) await window.tab.memory.rekey()
    })()
    Object.assign(window, { going })
  })
  const generations = (): Promise<number> =>
    compacting.evaluate(() => (window as Window & { generations?: number }).generations ?? 0)
  const opening = await tabs.blank()
  for (const time of range(FULL ? 20 : 5)) {
    const before = await generations()
    expect([time, await open(opening, store)]).toEqual([time, 'settled'])
    const health = await opening.evaluate(() => window.tab.memory.health())
    expect([health.quarantine, health.restored]).toEqual([[], undefined])
    expect(await counted(opening, 'mira')).toEqual(range(200))
    await opening.evaluate(() => window.tab.memory.close())
    await expect.poll(generations, PATIENT).toBeGreaterThan(before)
  }
  await compacting.evaluate(async () => {
    const state = window as Window & { enough?: boolean; going?: Promise<void> }
    state.enough = true
    await state.going
  })
  await expectWhole(compacting, store)
})

test('no lock is ever waited for without a bound: a page that keeps every lock of ours for ever holds nobody up', async () => {
  const store = 'locks'
  const [one, two] = [await tabs.open(store), await tabs.open(store)]
  const rude = await tabs.blank()
  const held = await rude.evaluate(async name => {
    const keep = (lock: string): Promise<void> =>
      new Promise(resolve => {
        void navigator.locks.request(lock, () => {
          resolve()
          return new Promise<never>(() => {})
        })
      })
    // The lock by which tabs take turns, and whatever else is asked for that is not somebody's sign of life.
    await keep(`palimpsest:${name}`)
    const { held: all = [] } = await navigator.locks.query()
    return all.map(lock => (lock.name ?? '').replace(/^(palimpsest:pulse:).*/u, '$1'))
  }, store)
  expect(held.toSorted()).toEqual(['palimpsest:locks', 'palimpsest:pulse:', 'palimpsest:pulse:'])
  await Promise.all([count(one, 'mira', 0, 30), count(two, 'mira', 30, 60)])
  await Promise.all([one, two].map(page => page.evaluate(() => window.tab.memory.checkpoint())))
  await one.evaluate(() => window.tab.memory.rekey())
  const three = await tabs.open(store)
  await count(three, 'mira', 60, 70)
  await two.evaluate(() => window.tab.memory.close())
  for (const page of [one, three]) {
    await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual(range(70))
    await expectWhole(page, store)
  }
})
