/** The connection to IndexedDB is lost, or somebody else wants the database; and appends that succeed and are not stored. */
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { siteInChromium } from './fixtures/storage-site.ts'

const site = siteInChromium()

/** A page with the memory `name` open, in which the counter is 1. */
async function opened(name: string): Promise<Page> {
  const page = await site.page()
  await page.evaluate(async store => void (await window.storageTab.open({ name: store })), name)
  expect(await page.evaluate(() => window.storageTab.write(1))).toEqual({ value: 'accepted' })
  return page
}

/** Every append is there once, in one dense run. */
async function expectDense(page: Page, name: string, head: number): Promise<void> {
  const keys = await page.evaluate(store => window.tab.journal(store), name)
  expect(keys).toEqual(Array.from({ length: head }, (_, i) => i + 1))
}

describe('a connection', () => {
  test.each(['close the connection', 'lose the connection'] as const)('that is gone (%s) is opened again', async trouble => {
    const page = await opened(trouble)
    const seen = await page.evaluate(async how => {
      await window.storageTab.make(how)
      const written = await window.storageTab.write(2)
      await window.storageTab.make(how)
      const { head } = await window.tab.memory.health()
      await window.storageTab.make(how)
      await window.tab.memory.checkpoint()
      return { written, head, read: await window.storageTab.read(), floor: (await window.tab.memory.health()).floor }
    }, trouble)
    expect(seen).toEqual({ written: { value: 'accepted' }, head: 2, read: { value: 2 }, floor: 2 })
    await page.close()
  })

  test('that is lost while calls are under way: each is stored or says why not, once', async () => {
    const page = await opened('under way')
    const { codes, notes } = await page.evaluate(async () => {
      const mine = window.tab.memory.tenant('home')
      const calls: Promise<string>[] = []
      for (let n = 0; n < 60; n += 1) {
        calls.push(window.tab.code(mine.assert({ subject: 'mira', attribute: 'note', value: `note ${n}` })))
        if (n % 20 === 10) await window.storageTab.make('lose the connection')
      }
      return { codes: await Promise.all(calls), notes: (await mine.get('mira', 'note')).map(fact => fact.value) }
    })
    for (const code of codes) expect(['settled', 'NOT_STORED']).toContain(code)
    const settled = codes.flatMap((code, n) => (code === 'settled' ? [`note ${n}`] : []))
    expect(notes).toEqual(expect.arrayContaining(settled))
    expect(new Set(notes).size).toBe(notes.length)
    const { head } = await page.evaluate(() => window.tab.memory.health())
    await expectDense(page, 'under way', head)
    await page.close()
  })
})

describe('another page upgrades the database', () => {
  test('it is not held up; writes say STORE_UNAVAILABLE, reads go on, and nothing is lost', async () => {
    const page = await opened('upgraded')
    const other = await site.page()
    const writing = page.evaluate(async () => {
      const mine = window.tab.memory.tenant('home')
      const calls = Array.from({ length: 20 }, (_, n) =>
        window.tab.code(mine.assert({ subject: 'mira', attribute: 'note', value: `note ${n}` })),
      )
      return Promise.all(calls)
    })
    await other.evaluate(async () => {
      const request = indexedDB.open('palimpsest:upgraded', 20)
      await new Promise<void>((resolve, reject) => {
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error ?? new Error('it does not open'))
        request.onblocked = () => reject(new Error('the memory holds up the upgrade'))
      })
      request.result.close()
    })
    const acknowledged = (await writing).filter(code => code === 'settled').length
    const refused = { code: 'STORE_UNAVAILABLE', retryable: false, details: { reason: 'newer' } }
    expect(await page.evaluate(() => window.storageTab.write(2))).toMatchObject(refused)
    expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 1 })
    const opening = other.evaluate(() => window.storageTab.told(window.storageTab.open({ name: 'upgraded' })))
    expect(await opening).toMatchObject(refused)
    const notes = await page.evaluate(async () => (await window.tab.memory.tenant('home').get('mira', 'note')).length)
    expect(notes).toBe(acknowledged)
    await expectDense(page, 'upgraded', 1 + acknowledged)
    await Promise.all([page.close(), other.close()])
  })

  test('and gives it up: the memory goes on', async () => {
    const page = await opened('given up')
    const other = await site.page()
    await other.evaluate(async () => {
      const request = indexedDB.open('palimpsest:given up', 20)
      await new Promise<void>((resolve, reject) => {
        request.onupgradeneeded = () => request.transaction?.abort()
        request.onerror = () => resolve()
        request.onblocked = () => reject(new Error('the memory holds up the upgrade'))
      })
    })
    expect(await page.evaluate(() => window.storageTab.write(2))).toEqual({ value: 'accepted' })
    expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 2 })
    await expectDense(page, 'given up', 2)
    await Promise.all([page.close(), other.close()])
  })
})

describe('an append whose request succeeds and whose transaction aborts', () => {
  test('is not acknowledged and not read, and the next one is stored', async () => {
    const page = await opened('aborted')
    const seen = await page.evaluate(async () => {
      await window.storageTab.make('abort the next append')
      const refused = await window.storageTab.write(2)
      const read = await window.storageTab.read()
      const { head } = await window.tab.memory.health()
      const next = await window.storageTab.write(3)
      return { refused, read, head, next, appends: await window.storageTab.make('none') }
    })
    expect(seen).toMatchObject({
      refused: { code: 'NOT_STORED', retryable: true, details: { reason: 'AbortError' } },
      read: { value: 1 },
      head: 1,
      next: { value: 'accepted' },
      appends: [
        { durability: 'strict', events: ['success', 'complete'] },
        { durability: 'strict', events: ['success', 'abort: AbortError'] },
        { durability: 'strict', events: ['success', 'complete'] },
      ],
    })
    await expectDense(page, 'aborted', 2)
    await page.close()
  })

  test('as the browser does it when the quota is used up', async () => {
    const page = await site.page()
    const session = await page.context().newCDPSession(page)
    const { origin } = new URL(page.url())
    const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
    // Before anything is allotted to this database, and for a little more than what stands in the others.
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 2_000_000 })
    const seen = await page.evaluate(async () => {
      await window.storageTab.open({ name: 'quota' })
      const mine = window.tab.memory.tenant('home')
      let acknowledged = 0
      for (;;) {
        const recording = mine.record({ text: 'x'.repeat(500_000), author: 'user', session: 'many' })
        const told = await window.storageTab.told(recording)
        if ('value' in told) {
          acknowledged += 1
          continue
        }
        const { episodes } = await mine.episodes({ session: 'many', limit: 1_000 })
        return { told, missing: acknowledged - episodes.length, last: (await window.storageTab.make('none')).at(-1) }
      }
    })
    await session.send('Storage.overrideQuotaForOrigin', { origin })
    expect(seen).toMatchObject({
      told: { code: 'NOT_STORED', details: { reason: 'QuotaExceededError' } },
      missing: 0,
      last: { durability: 'strict', events: ['success', 'abort: QuotaExceededError'] },
    })
    await page.close()
  })
})
