/** A person and the assistant: what is said, what is answered, and what can be done about it. In a real Chromium. */
import { setTimeout as wait } from 'node:timers/promises'
import { exportFile, verifyFile } from '@palimpsest/file'
import { openMemory } from '@palimpsest/node'
import type { Locator, Page } from 'playwright'
import { expect, test, vi } from 'vitest'
import { exported, importBytes } from './assistant-files.ts'
import { assistantForFile, openPage, type AssistantPage } from './assistant-page.ts'

// A real browser on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000 })

const assistant = assistantForFile()

/** Two statements a person makes are a second apart; within one second the later one replaces the earlier without a trace. */
const nextSecond = (): Promise<void> => wait(1_050)

async function sayPassport({ say }: AssistantPage): Promise<void> {
  await say('My passport deadline is July 15, 2026')
  await nextSecond()
  await say('Actually it moved to June 30')
}

/** What lies over the page. */
const dialog = (page: Page): Locator => page.getByRole('dialog')

test('statements are noted, questions answered with the source quoted, and nonsense is owned up to', async () => {
  const home = await assistant.open()
  const { say, lastReply, log, trouble } = home
  expect(await log.innerText()).toContain('Nothing has been said yet')
  await say('My passport deadline is July 15, 2026')
  expect(await lastReply()).toContain('Noted: your passport deadline is July 15, 2026, from today.')
  await nextSecond()
  await say('Actually it moved to June 30')
  expect(await lastReply()).toContain('Noted: your passport deadline is June 30, 2026, from today. It was July 15, 2026 before.')
  await say('When is my passport deadline?')
  expect(await lastReply()).toContain('June 30, 2026. You said today: “Actually it moved to June 30”')
  await say('What was my passport deadline on June 2, 2020?')
  expect(await lastReply()).toMatch(
    /On June 2, 2020: nothing that I know about your passport deadline\. What I know begins today\./u,
  )
  await say('I no longer eat meat since March')
  expect(await lastReply()).toMatch(/Noted: you do not eat meat, since March 1/u)
  await say('Do I eat meat?')
  expect(await lastReply()).toMatch(/No: you do not eat meat, since March 1.*“I no longer eat meat since March”/su)
  await say('Call me Mira')
  expect(await lastReply()).toContain('Noted: your name is Mira, from today.')
  await say('What do you know about me?')
  const known = await lastReply()
  for (const part of ['Your name is Mira', 'You do not eat meat', 'Your passport deadline is June 30, 2026', '“Call me Mira”'])
    expect(known).toContain(part)
  expect(known).not.toContain('July 15')
  await say('Colourless green ideas sleep furiously')
  expect(await lastReply()).toContain('I did not understand that, so nothing was noted.')
  expect(trouble).toEqual([])
})

test('what is over and what is to come is said as such', async () => {
  const { say, lastReply, memory } = await assistant.open()
  const year = new Date().getFullYear() + 1
  await say('I lived in Oslo from 2019 to 2022')
  await say('I moved to Bergen in March 2023')
  await say(`I will move to Berlin on February 1, ${year + 1}`)
  await say('Where do I live?')
  expect(await lastReply()).toContain('You live in Bergen, from March 1, 2023')
  await say('Where did I live in 2020?')
  expect(await lastReply()).toContain('In 2020: Oslo.')
  await memory.getByRole('button', { name: 'History: 1 to come and 1 earlier value' }).click()
  const lives = memory.getByRole('article', { name: 'lives in' })
  expect(await lives.innerText()).toMatch(/Bergen.*Berlin.*NOT YET.*Oslo.*from January 1, 2019 to December 31, 2022/isu)
  await say('I work at Acme')
  await nextSecond()
  await say('I no longer work at Acme')
  expect(await lastReply()).toContain('Noted: you worked at Acme, until today.')
  await say('Where do I work?')
  expect(await lastReply()).toContain('Nothing now. What I know is over: you worked at Acme, until today.')
})

test('the trace: what was true on a day, with the source of that day', async () => {
  const { page, say, lastReply, memory } = await assistant.open()
  await importBytes(page, await traceFile())
  await dialog(page).getByRole('button', { name: 'Import' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await say('When is my passport deadline?')
  expect(await lastReply()).toMatch(/^June 30, 2026\..*June 3.*“My passport deadline moved to June 30”/mu)
  await say('What was my passport deadline on June 2, 2026?')
  expect(await lastReply()).toMatch(/On June 2.*: July 15, 2026\..*“My passport deadline is July 15, 2026”/su)
  await say('What was my passport deadline on May 31, 2026?')
  expect(await lastReply()).toMatch(/On May 31.*: August 1, 2026\..*“My passport deadline is August 1, 2026”/su)
  expect(await memory.getByRole('button', { name: /^passport deadline: June 30, 2026/u }).count()).toBe(1)
})

test('a citation and a fact open their evidence', async () => {
  const home = await assistant.open()
  const { page, log, memory, say } = home
  await sayPassport(home)
  await say('When is my passport deadline?')
  await log.getByRole('button', { name: 'You said today: “Actually it moved to June 30”' }).click()
  // The dialog is there at once; the message in it is read from the worker.
  await expect.poll(() => dialog(page).innerText()).toMatch(/You said on .* at .*Actually it moved to June 30/su)
  await page.keyboard.press('Escape')
  await memory.getByRole('button', { name: /^passport deadline: June 30, 2026/u }).click()
  await memory.getByRole('button', { name: 'History: 1 earlier value' }).click()
  await memory.getByRole('button', { name: /^passport deadline: July 15, 2026/u }).click()
  await memory.getByRole('button', { name: '“My passport deadline is July 15, 2026”' }).click()
  expect(await dialog(page).locator('mark').innerText()).toBe('My passport deadline is July 15, 2026')
})

test('it is still there after a reload, and after a restart of the browser', async () => {
  const profile = await assistant.newProfile()
  const first = await assistant.open({ profile })
  await sayPassport(first)
  await first.say('When is my passport deadline?')
  const before = await first.log.innerText()
  await first.page.reload()
  await expect.poll(() => first.log.innerText(), { timeout: 15_000 }).toBe(before)
  await assistant.closePages()
  const second = await assistant.open({ profile })
  await expect.poll(() => second.log.innerText(), { timeout: 15_000 }).toBe(before)
  expect(await second.memory.innerText()).toContain('June 30, 2026')
})

test('two tabs show the same facts and the same talk, live', async () => {
  const first = await assistant.open()
  const second = await openPage(await first.context.newPage(), assistant.url)
  await first.say('Call me Mira')
  await expect.poll(() => second.memory.innerText(), { timeout: 15_000 }).toContain('Mira')
  await expect.poll(() => second.log.innerText(), { timeout: 15_000 }).toContain('Noted: your name is Mira')
  await nextSecond()
  await second.say('Call me Ann')
  await expect.poll(() => first.memory.innerText(), { timeout: 15_000 }).toContain('Ann')
})

test('a fact is corrected by hand, rejected, and the rejection taken back', async () => {
  const home = await assistant.open()
  const { memory, page } = home
  await sayPassport(home)
  await memory.getByRole('button', { name: /^passport deadline: June 30/u }).click()
  await memory.getByRole('button', { name: 'Correct' }).click()
  await memory.getByLabel('Correct value of passport deadline').fill('2026-07-01')
  await page.keyboard.press('Enter')
  const corrected = memory.getByRole('button', { name: /^passport deadline: July 1, 2026/u })
  await corrected.click()
  expect(await memory.getByRole('list', { name: 'Evidence' }).innerText()).toContain(
    'Corrected by hand: your passport deadline is July 1, 2026',
  )
  await memory.getByRole('button', { name: 'Not true' }).click()
  const restored = memory.getByRole('button', { name: /^passport deadline: July 15, 2026/u })
  await restored.waitFor()
  await memory.getByRole('button', { name: 'Undo' }).click()
  await corrected.waitFor()
})

test('forgetting a message shows its plan, does it, and nothing shows it again', async () => {
  const home = await assistant.open()
  const { page, log, memory, say, lastReply } = home
  await sayPassport(home)
  await say('When is my passport deadline?')
  await log.getByRole('button', { name: /You said today: “Actually it moved/u }).click()
  await dialog(page).getByRole('button', { name: 'Forget this message…' }).click()
  const plan = page.getByRole('dialog', { name: 'Forget this message?' })
  await plan.getByRole('heading', { name: 'Facts that hold again' }).waitFor()
  expect(await plan.innerText()).toMatch(
    /Facts that go\s+Your passport deadline is June 30, 2026.*Messages that go, whole\s+“Actually it moved to June 30”.*hold again\s+Your passport deadline is July 15, 2026/su,
  )
  // Nothing is done yet.
  expect(await memory.innerText()).toContain('June 30, 2026')
  await plan.getByRole('button', { name: 'Forget for good' }).click()
  expect(await page.getByRole('dialog', { name: 'Forgotten' }).innerText()).toContain('1 statement and 1 message went')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('body').innerText(), { timeout: 15_000 }).not.toMatch(/June 30(?!”)/u)
  await page.reload()
  await say('When is my passport deadline?')
  expect(await lastReply()).toContain('July 15, 2026.')
  expect(await page.locator('body').innerText()).not.toContain('it moved to June')
})

test('forgetting a fact blacks out its passage in the message that stays', async () => {
  const { page, log, memory, say } = await assistant.open()
  await say('I like tea. I live in Oslo.')
  await memory.getByRole('button', { name: /^lives in: Oslo/u }).click()
  await memory.getByRole('button', { name: 'Forget…' }).click()
  const plan = page.getByRole('dialog', { name: 'Forget that you live in Oslo?' })
  await plan.getByRole('heading', { name: 'Passages that are blacked out' }).waitFor()
  await plan.getByRole('button', { name: 'Forget for good' }).click()
  await page.getByRole('dialog', { name: 'Forgotten' }).getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.locator('body').innerText(), { timeout: 15_000 }).not.toContain('Oslo')
  expect(await log.innerText()).toMatch(/I like tea\. \S*█/u)
  expect(await log.innerText()).toContain('What was noted here was forgotten.')
})

test('a plan that is no longer exact is not carried out; it is looked at again', async () => {
  const first = await assistant.open()
  const second = await openPage(await first.context.newPage(), assistant.url)
  await first.say('I live in Oslo')
  await first.memory.getByRole('button', { name: 'Forget everything…' }).click()
  const plan = first.page.getByRole('dialog', { name: 'Forget everything?' })
  await plan.getByRole('button', { name: 'Forget for good' }).waitFor()
  await second.say('I like tea')
  await plan.getByRole('button', { name: 'Forget for good' }).click()
  await plan.getByRole('alert').waitFor()
  expect(await plan.innerText()).toContain('Make the plan again and look at it.')
  expect(await plan.innerText()).not.toContain('tea')
  await plan.getByRole('button', { name: 'Look again' }).click()
  await expect.poll(() => plan.innerText(), { timeout: 15_000 }).toContain('You like tea')
  await plan.getByRole('button', { name: 'Forget for good' }).click()
  await first.page.getByRole('dialog', { name: 'Forgotten' }).getByRole('button', { name: 'Done' }).click()
  for (const { memory, log } of [first, second]) {
    await expect.poll(() => memory.innerText(), { timeout: 15_000 }).toContain('No facts yet')
    await expect.poll(() => log.innerText(), { timeout: 15_000 }).toContain('Nothing has been said yet')
  }
})

test('an exported file is valid, and gives the same facts to a fresh profile', async () => {
  const first = await assistant.open()
  await sayPassport(first)
  await first.say('I like tea and coffee')
  const facts = await first.memory.innerText()
  const { name, bytes } = await exported(first.page)
  expect(name).toMatch(/^palimpsest-\d{4}-\d\d-\d\d\.sgam\.jsonl$/u)
  const { footer } = await verifyFile(bytes)
  expect(footer.counts).toMatchObject({ assertion: 4 })

  const second = await assistant.open()
  await importBytes(second.page, bytes)
  const plan = second.page.getByRole('dialog', { name: 'Import this file?' })
  expect(await plan.innerText()).toMatch(/6 messages.*4 statements/su)
  expect(await second.memory.innerText()).toContain('No facts yet')
  await plan.getByRole('button', { name: 'Import' }).click()
  await second.page.getByRole('dialog', { name: 'Imported' }).getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => second.memory.innerText(), { timeout: 15_000 }).toBe(facts)
  expect(await second.log.innerText()).toContain('Noted: you like tea')

  await importBytes(second.page, bytes)
  await second.page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  expect(await second.page.getByRole('dialog', { name: 'Imported' }).innerText()).toContain('Nothing was new.')
})

test('a file that was changed is refused, with the reason and what to do', async () => {
  const { page, memory, say } = await assistant.open()
  await say('Call me Mira')
  const { bytes } = await exported(page)
  await importBytes(page, Buffer.from(Buffer.from(bytes).toString('utf8').replace('Mira', 'Nora')))
  const notice = memory.getByRole('alert')
  expect(await notice.innerText()).toMatch(/Line \d+ .*Take the file again from its source; nothing was written\./su)
})

test('a worker that dies is said, and the memory opens again', async () => {
  const { page, memory, say, lastReply } = await assistant.open()
  await say('Call me Mira')
  await page
    .workers()[0]
    ?.evaluate(() => self.close())
    .catch(() => {})
  const notice = page.getByRole('alert')
  await notice.waitFor({ timeout: 45_000 })
  expect(await notice.innerText()).toContain('worker')
  await notice.getByRole('button', { name: 'Open again' }).click()
  await expect.poll(() => memory.innerText(), { timeout: 15_000 }).toContain('Mira')
  await say('What is my name?')
  expect(await lastReply()).toContain('Mira')
})

/** The trace that every part must get right, as a file: e1 and e2, and e0 that arrives last. */
async function traceFile(): Promise<Uint8Array> {
  const memory = await openMemory({ ephemeral: true })
  const mine = memory.tenant('home', { actor: 'user' })
  const tell = async (at: string, text: string, value: string): Promise<void> => {
    const from = await mine.record({ text, author: 'user', at })
    await mine.assert({ subject: 'user', attribute: 'passport_deadline', value, validFrom: at, from })
  }
  await tell('2026-06-01T09:00:00Z', 'My passport deadline is July 15, 2026', '2026-07-15')
  await tell('2026-06-03T10:00:00Z', 'My passport deadline moved to June 30', '2026-06-30')
  await tell('2026-05-30T08:00:00Z', 'My passport deadline is August 1, 2026', '2026-08-01')
  const chunks: Uint8Array[] = []
  for await (const chunk of exportFile(mine)) chunks.push(chunk)
  await memory.close()
  return Buffer.concat(chunks)
}
