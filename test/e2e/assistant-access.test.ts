/** For everybody: by keyboard alone, to a screen reader, in light and dark, in a narrow window, in any script. */
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { expect, test, vi } from 'vitest'
import { assistantForFile } from './assistant-page.ts'

// A real browser on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000 })

const assistant = assistantForFile()

test.each(['light', 'dark'] as const)('axe finds nothing in %s', async colorScheme => {
  const { page, memory, say } = await assistant.open({ colorScheme })
  const found: Record<string, readonly string[]> = { empty: await violations(page) }
  await say('My passport deadline is July 15, 2026')
  await say('I live in Oslo')
  await say('I will move to Berlin on February 1, 2099')
  await say('What do you know about me?')
  found['talk'] = await violations(page)
  await memory.getByRole('button', { name: /^lives in: Oslo/u }).click()
  await memory.getByRole('button', { name: /^History/u }).click()
  await memory.getByRole('button', { name: 'Correct' }).click()
  found['evidence and history'] = await violations(page)
  await memory.getByRole('button', { name: 'Cancel' }).click()
  await memory.getByRole('button', { name: '“I live in Oslo”' }).click()
  await page.getByRole('button', { name: 'Forget this message…' }).waitFor()
  found['episode'] = await violations(page)
  await page.getByRole('button', { name: 'Forget this message…' }).click()
  await page.getByRole('button', { name: 'Forget for good' }).waitFor()
  found['plan'] = await violations(page)
  await page.getByRole('button', { name: 'Forget for good' }).click()
  await page.getByRole('button', { name: 'Done' }).waitFor()
  found['receipt'] = await violations(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  found['narrow talk'] = await violations(page)
  await page.getByRole('radio', { name: 'Memory' }).press('Space')
  found['narrow memory'] = await violations(page)
  expect(Object.entries(found).filter(([, list]) => list.length > 0)).toEqual([])
})

test('light and dark follow the system until the person chooses', async () => {
  const { page } = await assistant.open({ colorScheme: 'dark' })
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = await ground()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(ground).not.toBe(dark)
  await page.getByRole('button', { name: 'Colours: as the system' }).click()
  await page.getByRole('button', { name: 'Colours: light' }).click()
  await expect.poll(ground).toBe(dark)
  await page.reload()
  await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
  expect(await ground()).toBe(dark)
})

test('everything can be done by keyboard, Escape closes, and the focus comes back', async () => {
  const { page, box, log, memory } = await assistant.open()
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '')
  const tabTo = async (name: string | RegExp): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab')
      const at = await focused()
      if (typeof name === 'string' ? at === name : name.test(at)) return
    }
    throw new Error(`Tab does not reach ${String(name)}; it is at ${await focused()}`)
  }
  // The place to type has the focus from the beginning.
  await expect.poll(focused).toBe('Message')
  await page.keyboard.type('I live in Oslo.')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('I like tea.')
  expect(await box.inputValue()).toBe('I live in Oslo.\nI like tea.')
  await page.keyboard.press('Enter')
  await expect.poll(() => log.innerText(), { timeout: 15_000 }).toContain('Noted: you like tea')
  expect(await focused()).toBe('Message')
  expect(await box.inputValue()).toBe('')

  await tabTo(/^lives in: Oslo/u)
  await page.keyboard.press('Enter')
  await tabTo(/^“I live in Oslo/u)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Evidence' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).toMatch(/^“I live in Oslo/u)

  await tabTo('Forget…')
  await page.keyboard.press('Enter')
  const plan = page.getByRole('dialog', { name: 'Forget that you live in Oslo?' })
  await plan.getByRole('button', { name: 'Forget for good' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('Forget…')
  await page.keyboard.press('Enter')
  await plan.getByRole('button', { name: 'Forget for good' }).waitFor()
  await tabTo('Forget for good')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Forgotten' }).waitFor()
  await expect.poll(focused).toBe('Done')
  await page.keyboard.press('Enter')
  // What opened the plan is gone with the fact.
  await expect.poll(focused).toBe('Message')
  await expect.poll(() => memory.innerText(), { timeout: 15_000 }).not.toContain('Oslo')
})

test('replies are read out: the log is live, and nothing in it is drawn anew', async () => {
  const { page, log, say } = await assistant.open()
  expect(await log.getAttribute('aria-live')).toBe('polite')
  await say('Call me Mira')
  // A text that was sent stays the same element when it comes back from memory, else it would be read out twice.
  await page.evaluate(() => {
    const own = [...document.querySelectorAll('[role=log] p')].find(p => p.textContent === 'Call me Mira')
    own?.setAttribute('data-first', 'yes')
  })
  await say('What is my name?')
  expect(await log.locator('p[data-first=yes]').innerText()).toBe('Call me Mira')
})

test('at 360 px nothing is cut or scrolls sideways, with long words and right-to-left text', async () => {
  const { page, say, log, memory } = await assistant.open({ width: 360 })
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3)
  await say(`I like ${long.slice(0, 58)}`)
  await say(long)
  await say('אני גרה באוסלו')
  await say('What do you know about me?')
  expect(await sideways(page)).toEqual([])
  expect(await memory.isVisible()).toBe(false)
  const hebrew = log.getByText('אני גרה באוסלו')
  expect(await hebrew.evaluate(element => getComputedStyle(element).direction)).toBe('rtl')
  await page.getByRole('radio', { name: 'Memory' }).press('Space')
  await memory
    .getByRole('button', { name: /^likes/u })
    .first()
    .click()
  await memory.getByRole('button', { name: 'Forget…' }).waitFor()
  expect(await sideways(page)).toEqual([])
  await memory.getByRole('button', { name: 'Forget…' }).click()
  await page.getByRole('button', { name: 'Forget for good' }).waitFor()
  expect(await sideways(page)).toEqual([])
  expect(await log.isVisible()).toBe(false)
})

/** Rules that are broken, each with where. */
async function violations(page: Page): Promise<readonly string[]> {
  // By the protocol, not as a script element: the page's policy allows none.
  await page.evaluate(await axeSource())
  const results = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run())
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

async function axeSource(): Promise<string> {
  const { source } = createRequire(import.meta.url)('axe-core') as { readonly source: string }
  return source
}

/** What is wider than its place. */
async function sideways(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll<HTMLElement>('body, body *')].filter(
      ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
    )
    const outside = [...document.querySelectorAll('body *')].filter(element => {
      const { right, width } = element.getBoundingClientRect()
      return width > 1 && right > window.innerWidth + 1
    })
    return [...wide, ...outside].map(
      element => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40) ?? ''}`,
    )
  })
}
