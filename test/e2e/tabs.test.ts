/** Several tabs, one memory: nothing lost, one order, and every call settles. In a real Chromium with a profile on the disk. */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { counted as valuesOf, expectNoGap, range, state } from './fixtures/counting.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

// How long a tab may take to hear of another one, on a machine that is busy with other tests.
const PATIENT = { timeout: 20_000 }

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs()
})
afterAll(() => tabs?.close())
afterEach(() => Promise.all(tabs.browser.context.pages().map(page => page.close())))

/** States `count` values of one slot at once, one a second from `first` on, every `step` seconds. */
function count(page: Page, subject: string, how: { first: number; step: number; count: number }): Promise<void> {
  return state(
    page,
    subject,
    range(how.count).map(i => how.first + i * how.step),
  )
}

interface Counted {
  readonly values: readonly unknown[]
  readonly openFacts: number
}

/** Every value that the slot ever had, in order of time, and how many of its facts are open. */
async function counted(page: Page, subject: string): Promise<Counted> {
  const values = await valuesOf(page, subject)
  const openFacts = await page.evaluate(async name => {
    const rows = await window.tab.memory.query('select count(*) as n from memory_facts where subject = ? and valid_to is null', [
      name,
    ])
    return Number(rows[0]?.['n'])
  }, subject)
  return { values, openFacts }
}

describe('scenario 8', () => {
  test('20 parallel asserts in one page: all there, one open fact, no gap', async () => {
    const page = await tabs.open('parallel')
    await count(page, 'one', { first: 0, step: 1, count: 20 })
    expect(await counted(page, 'one')).toEqual({ values: range(20), openFacts: 1 })
    await expectNoGap(page, 'parallel')
  })

  test('200 + 200 asserts from two tabs at once: all there, one open fact, no gap', async () => {
    const [one, two] = [await tabs.open('two tabs'), await tabs.open('two tabs')]
    await Promise.all([
      count(one, 'mira', { first: 0, step: 2, count: 200 }),
      count(two, 'mira', { first: 1, step: 2, count: 200 }),
    ])
    for (const page of [one, two, await tabs.open('two tabs')]) {
      await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual({ values: range(400), openFacts: 1 })
      await expectNoGap(page, 'two tabs')
    }
  })
})

test('two tabs see each other’s facts without a reload', async () => {
  const [one, two] = [await tabs.open('seen'), await tabs.open('seen')]
  const see = (page: Page): Promise<unknown> =>
    page.evaluate(async () => (await window.tab.memory.tenant('home').get('mira', 'counter'))?.value)
  await two.evaluate(() => {
    window.tab.memory.on(event => {
      if (event.type === 'changed' && !event.local) document.title = `changed: ${event.tenants.join()}`
    })
  })
  await count(one, 'mira', { first: 1, step: 1, count: 1 })
  await expect.poll(() => see(two), PATIENT).toBe(1)
  await expect.poll(() => two.title(), PATIENT).toBe('changed: home')
  await count(two, 'mira', { first: 2, step: 1, count: 1 })
  await expect.poll(() => see(one), PATIENT).toBe(2)
})

test('a terminated worker settles every pending call with WORKER_LOST; what it acknowledged is there', async () => {
  const page = await tabs.open('terminated')
  const codes = await page.evaluate(async () => {
    const mine = window.tab.memory.tenant('home')
    const calls = Array.from({ length: 60 }, (_, n) => mine.assert({ subject: 'mira', attribute: 'note', value: `note ${n}` }))
    await calls[4]
    window.tab.worker.terminate()
    return Promise.all([...calls, mine.get('mira', 'note')].map(call => window.tab.code(call)))
  })
  expect(new Set(codes)).toEqual(new Set(['settled', 'WORKER_LOST']))
  expect(codes.at(-1)).toBe('WORKER_LOST')
  const [later, notes] = await page.evaluate(async () => {
    const refused = await window.tab.code(window.tab.memory.tenant('home').get('mira', 'note'))
    const again = await window.tab.open({ name: 'terminated' })
    return [refused, (await again.tenant('home').get('mira', 'note')).map(fact => fact.value)] as const
  })
  expect(later).toBe('WORKER_LOST')
  const acknowledged = codes.flatMap((code, n) => (code === 'settled' ? [`note ${n}`] : []))
  expect(notes).toEqual(expect.arrayContaining(acknowledged))
  await expectNoGap(page, 'terminated')
})

test('a reload in the middle of writes loses no acknowledged write', async () => {
  const page = await tabs.open('reloaded')
  const acknowledged: string[] = []
  await page.exposeFunction('acknowledge', (note: string) => void acknowledged.push(note))
  for (const round of range(4)) {
    const before = acknowledged.length
    await page.evaluate(name => {
      const mine = window.tab.memory.tenant('home')
      const { acknowledge } = window as unknown as { acknowledge(note: string): Promise<void> }
      const write = async (n: number): Promise<void> => {
        const note = `${name}.${n}`
        await mine.assert({ subject: 'mira', attribute: 'note', value: note })
        void acknowledge(note)
        await write(n + 4)
      }
      // Not waited for: it writes until the page is gone.
      for (const start of [0, 1, 2, 3]) void write(start)
    }, round)
    await expect.poll(() => acknowledged.length, { ...PATIENT, interval: 5 }).toBeGreaterThan(before + 20 + 13 * round)
    await page.reload()
    await page.waitForFunction(() => 'tab' in window)
    await page.evaluate(async () => void (await window.tab.open({ name: 'reloaded' })))
  }
  const notes = await page.evaluate(async () =>
    (await window.tab.memory.tenant('home').get('mira', 'note')).map(fact => fact.value),
  )
  expect(notes).toEqual(expect.arrayContaining(acknowledged))
  await expectNoGap(page, 'reloaded')
})

test('two tabs checkpoint at once while they write: nothing is lost', async () => {
  const pages = [await tabs.open('checkpoint'), await tabs.open('checkpoint')]
  for (const round of range(4)) {
    await Promise.all(
      pages.map(async (page, i) => {
        const writing = count(page, 'mira', { first: round * 40 + i, step: 2, count: 20 })
        await page.evaluate(() => window.tab.memory.checkpoint())
        await writing
        await page.evaluate(() => window.tab.memory.checkpoint())
      }),
    )
  }
  const fresh = await tabs.open('checkpoint')
  for (const page of [fresh, ...pages]) {
    await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual({ values: range(160), openFacts: 1 })
  }
  await expectNoGap(fresh, 'checkpoint')
  expect((await fresh.evaluate(() => window.tab.memory.health())).floor).toBeGreaterThan(0)
})

test('a tab whose image is below the floor opens again and goes on', async () => {
  const writer = await tabs.open('behind')
  const deaf = await tabs.blank()
  await deaf.evaluate(async () => void (await window.tab.open({ name: 'behind', deaf: true })))
  await count(deaf, 'mira', { first: 0, step: 1, count: 5 })
  for (const round of range(4)) {
    await count(writer, 'mira', { first: 5 + round * 10, step: 1, count: 10 })
    await writer.evaluate(() => window.tab.memory.checkpoint())
  }
  const health = await writer.evaluate(() => window.tab.memory.health())
  expect(health.floor).toBeGreaterThan(5)
  await count(deaf, 'mira', { first: 45, step: 1, count: 5 })
  expect(await counted(deaf, 'mira')).toEqual({ values: range(50), openFacts: 1 })
  await expectNoGap(deaf, 'behind')
  // The deaf tab is dumb as well: the writer learns of it when it writes itself.
  await count(writer, 'mira', { first: 50, step: 1, count: 1 })
  expect(await counted(writer, 'mira')).toEqual({ values: range(51), openFacts: 1 })
})

test('a tab that heard nothing reads the journal when its page comes back', async () => {
  const writer = await tabs.open('back')
  const deaf = await tabs.blank()
  await deaf.evaluate(async () => void (await window.tab.open({ name: 'back', deaf: true })))
  await count(writer, 'mira', { first: 0, step: 1, count: 3 })
  const values = await deaf.evaluate(async () => {
    const read = async (): Promise<unknown> => (await window.tab.memory.tenant('home').get('mira', 'counter'))?.value
    const before = await read()
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return [before, await read()]
  })
  expect(values).toEqual([undefined, 2])
})
