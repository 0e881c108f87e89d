/** Tabs that start together and write, fold and forget at once: what was acknowledged is in every tab once, what was forgotten in none. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENT, counted, expectSame, expectWhole, known, range } from './fixtures/counting.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

const FULL = process.env['PALIMPSEST_FAULTS'] === 'full'
const ROUNDS = 30
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
      for (let n = 0; n < 100; n++) {
        const all = await Promise.all(part.map(known))
        if (new Set(all).size === 1) break
        if (n < 8) { await new Promise(r => setTimeout(r, 1000)); continue }
        const lines = all.map(text => (JSON.parse(text) as object[]).map(r => JSON.stringify(r)))
        for (const [i, own] of lines.entries()) {
          const h = await part[i]!.evaluate(() => window.tab.memory.health())
          console.log('TAB', i, own.length, JSON.stringify({ ...h, storeId: 0, deviceId: 0 }), 'LACKS', lines.flat().filter((l, k, f) => f.indexOf(l) === k && !own.includes(l)))
        }
        throw new Error('differ')
      }
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

