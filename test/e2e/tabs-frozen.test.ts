/** A tab that Chromium freezes, its worker with it, while another one goes on: it wakes into a store that has changed under it. */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PATIENT, count, counted, expectSame, expectWhole, known, range, say } from './fixtures/counting.ts'
import { freeze, openPlainBrowser } from './fixtures/plain-chromium.ts'
import { FULL } from '../support/size.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs({ openBrowser: openPlainBrowser })
})
afterAll(() => tabs?.close())
afterEach(() => Promise.all(tabs.browser.context.pages().map(page => page.close())))

/** The memory's own worker in `page` says that it runs, every 20 ms. @returns how often `witness` has heard it */
async function heartOf(page: Page, witness: Page): Promise<() => Promise<number>> {
  const worker = page.workers().at(-1)
  if (!worker) throw new Error('there is no worker')
  await witness.evaluate(() => {
    const heard = Object.assign(window, { beats: 0 })
    new BroadcastChannel('beats').addEventListener('message', () => (heard.beats += 1))
  })
  await worker.evaluate(() => {
    const { TestChannel } = globalThis as { TestChannel?: typeof BroadcastChannel }
    const channel = new (TestChannel ?? BroadcastChannel)('beats')
    setInterval(() => channel.postMessage(0), 20)
  })
  return () => witness.evaluate(() => (window as Window & { beats?: number }).beats ?? 0)
}

/** Freezes `sleeper` while `work` is done, and makes certain that its worker did not run meanwhile. */
async function whileFrozen(sleeper: Page, witness: Page, work: () => Promise<void>): Promise<void> {
  const beats = await heartOf(sleeper, witness)
  await expect.poll(beats, PATIENT).toBeGreaterThan(0)
  const thaw = await freeze(sleeper)
  const inASecond = async (): Promise<number> => {
    const before = await beats()
    await new Promise(resolve => setTimeout(resolve, 1_000))
    return (await beats()) - before
  }
  await expect.poll(inASecond, PATIENT).toBe(0)
  const stoodAt = await beats()
  await work()
  expect(await beats()).toBe(stoodAt)
  await thaw()
  await expect.poll(beats, PATIENT).toBeGreaterThan(stoodAt)
}

/** Everybody knows everything up to `end`, the sleeper too, and so does whoever opens the store now. */
async function expectAll(store: string, pages: readonly Page[], end: number): Promise<void> {
  const all = [...pages, await tabs.open(store)]
  for (const page of all) {
    await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual(range(end))
    await expectWhole(page, store)
  }
  await expectSame(all)
}

test('scenario 2: a tab freezes at head 100, another folds entries up to 1,100, the first wakes and writes: fenced, reopened, nothing lost', async () => {
  const store = 'scenario 2'
  const sleeper = await tabs.blank()
  // Nobody tells this worker of anything, not of news and not that its page was away: its own append must find out.
  await sleeper.evaluate(async name => {
    for (const event of ['freeze', 'resume', 'visibilitychange'])
      document.addEventListener(event, heard => heard.stopImmediatePropagation(), { capture: true })
    const memory = await window.tab.open({ name, deaf: true })
    const events = Object.assign(window, { changes: [] as boolean[] }).changes
    memory.on(event => void (event.type === 'changed' && events.push(event.local)))
  }, store)
  await count(sleeper, 'mira', 0, 100)
  const writer = await tabs.open(store)
  expect((await sleeper.evaluate(() => window.tab.memory.health())).head).toBe(100)
  await sleeper.evaluate(() => void (window as Window & { changes?: boolean[] }).changes?.splice(0))
  await whileFrozen(sleeper, writer, async () => {
    await count(writer, 'mira', 100, 1_100)
    await writer.evaluate(() => window.tab.memory.checkpoint())
    expect(await writer.evaluate(() => window.tab.memory.health())).toMatchObject({ head: 1_100, floor: 1_100 })
    expect(await writer.evaluate(name => window.tab.journal(name), store)).toEqual([])
  })
  await count(sleeper, 'mira', 1_100, 1_101)
  // First it opened again, which is a change from elsewhere, then it wrote.
  expect(await sleeper.evaluate(() => (window as Window & { changes?: boolean[] }).changes)).toEqual([false, true])
  // The deaf one is dumb as well: the writer learns of it when it writes itself.
  await count(writer, 'mira', 1_101, 1_102)
  await sleeper.evaluate(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expectAll(store, [sleeper, writer], 1_102)
})

test.runIf(FULL)('the same with a tab that is told: what it writes first when it wakes comes after everything', async () => {
  const [sleeper, writer] = [await tabs.open('told'), await tabs.open('told')]
  await count(sleeper, 'mira', 0, 10)
  await whileFrozen(sleeper, writer, async () => {
    await count(writer, 'mira', 10, 300)
    await writer.evaluate(() => window.tab.memory.checkpoint())
  })
  await count(sleeper, 'mira', 300, 301)
  expect(await counted(sleeper, 'mira')).toEqual(range(301))
  await expectAll('told', [sleeper, writer], 301)
})

test.runIf(FULL)('two generations are written meanwhile: neither of those it could have known is left', async () => {
  const [sleeper, writer] = [await tabs.open('generations'), await tabs.open('generations')]
  await count(sleeper, 'mira', 0, 20)
  await sleeper.evaluate(() => window.tab.memory.checkpoint())
  const generation = (): Promise<number> => writer.evaluate(async () => (await window.tab.memory.health()).generation)
  const before = await generation()
  let end = 20
  await whileFrozen(sleeper, writer, async () => {
    // Deltas pass their share of the base sooner or later.
    while ((await generation()) < before + 2 && end < 3_000) {
      await count(writer, 'mira', end, end + 40)
      end += 40
      await writer.evaluate(() => window.tab.memory.checkpoint())
    }
  })
  expect(await generation()).toBeGreaterThanOrEqual(before + 2)
  await count(sleeper, 'mira', end, end + 1)
  await sleeper.evaluate(() => window.tab.memory.checkpoint())
  await expectAll('generations', [sleeper, writer], end + 1)
})

test('the keys are changed meanwhile, twice: it takes the new ones, and what it writes is read by all', async () => {
  const [sleeper, writer] = [await tabs.open('keys'), await tabs.open('keys')]
  await count(sleeper, 'mira', 0, 20)
  await whileFrozen(sleeper, writer, async () => {
    for (const first of [20, 40]) {
      await count(writer, 'mira', first, first + 20)
      await writer.evaluate(() => window.tab.memory.rekey())
    }
  })
  await count(sleeper, 'mira', 60, 61)
  expect((await sleeper.evaluate(() => window.tab.memory.health())).atRest).toEqual({ kind: 'device', isChanging: false })
  await sleeper.evaluate(() => window.tab.memory.rekey())
  await expectAll('keys', [sleeper, writer], 61)
})

test.runIf(FULL)(
  'the memory is locked with a key that it was not given: it says so, writes nothing, and with the key all is there',
  async () => {
    const [sleeper, writer] = [await tabs.open('locked'), await tabs.open('locked')]
    await count(sleeper, 'mira', 0, 20)
    await whileFrozen(sleeper, writer, async () => {
      await count(writer, 'mira', 20, 40)
      await writer.evaluate(() => window.tab.memory.rekey({ kind: 'key', key: new Uint8Array(32).fill(7) }))
    })
    expect(await say(sleeper, 'mira', 99)).toBe('KEY_NEEDED')
    expect(await say(sleeper, 'mira', 99)).toBe('KEY_NEEDED')
    await sleeper.evaluate(async () => {
      await window.tab.memory.close()
      await window.tab.open({ name: 'locked', atRest: { kind: 'key', key: new Uint8Array(32).fill(7) } })
    })
    await count(sleeper, 'mira', 40, 41)
    for (const page of [sleeper, writer]) {
      await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual(range(41))
      await expectWhole(page, 'locked')
    }
    await expectSame([sleeper, writer])
  },
)

test('something is forgotten meanwhile: nothing that wakes brings it back, not even its old image', async () => {
  const [sleeper, writer] = [await tabs.open('forgotten'), await tabs.open('forgotten')]
  await count(sleeper, 'mira', 0, 20)
  await sleeper.evaluate(async () => {
    const mine = window.tab.memory.tenant('home')
    const from = await mine.record({ text: 'The alarm code is quicksilver.', author: 'user' })
    await mine.assert({ subject: 'alarm', attribute: 'note', value: 'quicksilver', from, quote: 'quicksilver' })
  })
  expect(await known(sleeper)).toContain('quicksilver')
  await expectSame([sleeper, writer])
  await whileFrozen(sleeper, writer, async () => {
    await writer.evaluate(async () => {
      const plan = await window.tab.memory.tenant('home').forget({ subject: 'alarm' })
      await plan.apply()
    })
    // Without its entries and its old images: only the sleeper still holds it.
    await writer.evaluate(() => window.tab.memory.rekey())
  })
  expect(await sleeper.evaluate(() => window.tab.memory.tenant('home').get('alarm', 'note'))).toEqual([])
  await count(sleeper, 'mira', 20, 21)
  await sleeper.evaluate(() => window.tab.memory.checkpoint())
  const fresh = await tabs.open('forgotten')
  for (const page of [sleeper, writer, fresh]) expect(await known(page)).not.toContain('quicksilver')
  await expectAll('forgotten', [sleeper, writer, fresh], 21)
})

/** Begins to write values under keys of their own, each again until it is stored. The refusals are in `window.refusals` then. */
function beginUntilStored(page: Page, first: number, end: number): Promise<void> {
  return page.evaluate(
    ([from, to]) => {
      const mine = window.tab.memory.tenant('home')
      const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000)
      const refusals = (async () => {
        const codes: string[] = []
        // One after the other, so that there is always one on its way.
        for (let n = from; n < to;) {
          const fact = { subject: 'mira', attribute: 'counter', value: n, validFrom: second(n) } as const
          const code = await window.tab.code(mine.assert(fact, { key: `counter ${n}` }))
          if (code === 'settled') n += 1
          else codes.push(code)
        }
        return codes
      })()
      Object.assign(window, { refusals })
    },
    [first, end] as const,
  )
}

function refusalsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => (window as Window & { refusals?: Promise<string[]> }).refusals ?? [])
}

/** What a browser that holds up a transaction may lead to: the write is not stored, or nobody knows, and is asked for again. */
const HELD_UP = /^(?:NOT_STORED|STORE_UNAVAILABLE)$/u

// A tab that freezes with a transaction open holds up every other one until the browser breaks it off: Chromium after a minute.
test('it froze in the middle of its own writes: each is there once, and the other tab was not held up for ever', async () => {
  const [sleeper, writer] = [await tabs.open('middle'), await tabs.open('middle')]
  await beginUntilStored(sleeper, 0, 200)
  await whileFrozen(sleeper, writer, async () => {
    await beginUntilStored(writer, 200, 250)
    for (const code of await refusalsOf(writer)) expect(code).toMatch(HELD_UP)
    await writer.evaluate(() => window.tab.memory.checkpoint())
  })
  for (const code of await refusalsOf(sleeper)) expect(code).toMatch(HELD_UP)
  await expectAll('middle', [sleeper, writer], 250)
}, 400_000)

test.runIf(FULL)(
  'it froze with a transaction open: the other tab is told that its write is not stored, and then goes on',
  async () => {
    const [sleeper, writer] = [await tabs.open('held'), await tabs.open('held')]
    await count(writer, 'mira', 0, 10)
    await sleeper
      .workers()
      .at(-1)
      ?.evaluate(async () => {
        const request = indexedDB.open('palimpsest:held')
        await new Promise(resolve => (request.onsuccess = resolve))
        const meta = request.result.transaction(['journal', 'meta'], 'readwrite').objectStore('meta')
        // A request follows the other, so that it never ends by itself.
        const next = (): void => {
          meta.get('image').onsuccess = next
        }
        next()
      })
    await whileFrozen(sleeper, writer, async () => {
      await beginUntilStored(writer, 10, 20)
      const codes = await refusalsOf(writer)
      expect(codes.length).toBeGreaterThan(0)
      for (const code of codes) expect(code).toMatch(HELD_UP)
    })
    await count(sleeper, 'mira', 20, 21)
    await expectAll('held', [sleeper, writer], 21)
  },
  400_000,
)
