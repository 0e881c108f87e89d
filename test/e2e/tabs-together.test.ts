/** Tabs that start together and write, fold and forget at once: what was acknowledged is in every tab once, what was forgotten in none. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENT, counted, expectSame, expectWhole, known, range } from './fixtures/counting.ts'
import { FULL } from '../support/size.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

const ROUNDS = FULL ? 50 : 4
const MOST_TABS = 5
/** Values that a tab writes in a round. */
const EACH = 12

let tabs: Tabs
let pages: readonly Page[]
beforeAll(async () => {
  tabs = await serveTabs()
  pages = await Promise.all(range(MOST_TABS).map(() => tabs.blank()))
})
afterAll(() => tabs?.close())

function open(page: Page, store: string): Promise<void> {
  return page.evaluate(async name => {
    await window.tab.memory?.close()
    await window.tab.open({ name })
  }, store)
}

/** What a tab does in a round. `me` of `all` tabs; it forgets what the next one wrote before. */
function take(page: Page, part: { readonly me: number; readonly all: number; readonly each: number }): Promise<void> {
  return page.evaluate(async ({ me, all, each }) => {
    const { memory } = window.tab
    const mine = memory.tenant('home')
    const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000)
    const write = async (n: number): Promise<unknown> =>
      mine.assert({ subject: 'mira', attribute: 'counter', value: n, validFrom: second(n) })
    const forget = async (): Promise<void> => {
      const subject = `gone ${(me + 1) % all}`
      // It may not have arrived here yet.
      while ((await mine.get(subject, 'note')).length === 0) await new Promise(resolve => setTimeout(resolve, 20))
      const plan = await mine.forget({ subject })
      await plan.apply()
    }
    const text = `The word is quicksilver ${me}.`
    const from = await mine.record({ text, author: 'user' })
    await mine.assert({ subject: `gone ${me}`, attribute: 'note', value: `quicksilver ${me}`, from, quote: `quicksilver ${me}` })
    const some = Array.from({ length: each / 2 }, (_, i) => i)
    await Promise.all([
      ...some.map(i => write(i * all + me)),
      memory.checkpoint(),
      forget(),
      // One after the other, beside those that share an append.
      (async () => {
        for (const i of some) await write((each / 2 + i) * all + me)
        await memory.checkpoint()
      })(),
    ])
  }, part)
}

describe('started together', () => {
  test.each(range(ROUNDS).map(round => [round + 1, 2 + (round % (MOST_TABS - 1))]))('round %i, %i tabs', async (round, all) => {
    const store = `together ${round}`
    const part = pages.slice(0, all)
    await Promise.all(part.map(page => open(page, store)))
    await Promise.all(part.map((page, me) => take(page, { me, all, each: EACH })))
    await expectSame(part)
    for (const page of part) {
      expect(await counted(page, 'mira')).toEqual(range(all * EACH))
      expect(await known(page)).not.toContain('quicksilver')
      await expectWhole(page, store)
    }
    // And so it is for one that opens the store afterwards, from the disk alone.
    const [first, second] = part as [Page, Page]
    await open(second, store)
    await expectSame([first, second])
    await expectWhole(second, store)
  })
})

test('a long import does not starve behind the short writes of another tab, and they go on', async () => {
  const [importer, writer] = pages as [Page, Page]
  await Promise.all([open(importer, 'import'), open(writer, 'import')])
  const episodes = FULL ? 240 : 72
  await writer.evaluate(() => {
    const mine = window.tab.memory.tenant('home')
    const state = Object.assign(window, { written: 0, enough: false, failure: '' })
    const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000)
    const writing = (async () => {
      for (let n = 0; !state.enough; n += 1) {
        await mine.assert({ subject: 'mira', attribute: 'counter', value: n, validFrom: second(n) })
        state.written = n + 1
      }
    })()
    Object.assign(window, { writing })
  })
  const written = (): Promise<number> => writer.evaluate(() => (window as Window & { written?: number }).written ?? 0)
  await expect.poll(written, PATIENT).toBeGreaterThan(0)
  const added = importer.evaluate(async many => {
    // What importFile does once it has verified the file; the records come from a memory that keeps nothing.
    const target = window.tab.memory
    const source = (await window.tab.open({ name: 'source', ephemeral: true })).tenant('home')
    const text = 'long '.repeat(50_000)
    await source.batch(batch => {
      for (let n = 0; n < many; n += 1) batch.record({ id: `long ${n}`, text, author: 'user' })
    })
    const records = await source.records()
    await window.tab.memory.close()
    window.tab.memory = target
    document.title = 'importing'
    return (await target.tenant('home').merge(records)).added
  }, episodes)
  await expect.poll(() => importer.title(), PATIENT).toBe('importing')
  const before = await written()
  // It ends although the other tab never pauses; what is new is at least the episodes, and perhaps the schema.
  expect(await added).toBeGreaterThanOrEqual(episodes)
  expect(await written()).toBeGreaterThan(before)
  await writer.evaluate(async () => {
    const state = window as Window & { enough?: boolean; writing?: Promise<void> }
    state.enough = true
    await state.writing
  })
  const end = await written()
  await open(pages[2] as Page, 'import')
  for (const page of [importer, writer, pages[2] as Page]) {
    await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual(range(end))
    const long = (): Promise<unknown> => page.evaluate(() => window.tab.memory.query('select count(*) as n from episode'))
    await expect.poll(long, PATIENT).toEqual([{ n: episodes }])
    await expectWhole(page, 'import')
  }
}, 600_000)
