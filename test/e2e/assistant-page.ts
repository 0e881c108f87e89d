/** The built assistant, served as `npm start` serves it, and Chromium profiles on the disk to open it with. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type BrowserContext, type Locator, type Page } from 'playwright'
import { preview } from 'vite'
import { afterAll, afterEach, beforeAll } from 'vitest'

export interface AssistantPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly box: Locator
  readonly log: Locator
  readonly memory: Locator
  /** Sends a text and waits for the reply. */
  say(text: string): Promise<void>
  /** The reply to the latest text. */
  lastReply(): Promise<string>
  /** Errors of the page and refusals of its policy, and requests that left this machine. */
  readonly trouble: readonly string[]
}

interface Assistant {
  readonly url: string
  /** A fresh profile where none is given. */
  open(options?: {
    readonly profile?: string
    readonly width?: number
    readonly colorScheme?: 'light' | 'dark'
  }): Promise<AssistantPage>
  /** A folder for a profile, removed at the end. */
  newProfile(): Promise<string>
  closePages(): Promise<void>
  close(): Promise<void>
}

/** The assistant for all tests of the file that calls it; the pages of each are closed after it. */
export function assistantForFile(): Omit<Assistant, 'close'> {
  let assistant: Assistant
  beforeAll(async () => {
    assistant = await serveAssistant()
  })
  afterEach(() => assistant?.closePages())
  afterAll(() => assistant?.close())
  return {
    get url() {
      return assistant.url
    },
    open: options => assistant.open(options),
    newProfile: () => assistant.newProfile(),
    closePages: () => assistant.closePages(),
  }
}

async function serveAssistant(): Promise<Assistant> {
  const root = fileURLToPath(new URL('../../apps/assistant', import.meta.url))
  const server = await preview({ root, logLevel: 'warn', preview: { host: '127.0.0.1', port: 0, open: false } })
  const url = server.resolvedUrls?.local[0]
  if (url === undefined) throw new Error('The assistant is not served')
  const folders: string[] = []
  const contexts = new Set<BrowserContext>()

  const newProfile = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-assistant-'))
    folders.push(folder)
    return folder
  }
  const closePages = async (): Promise<void> => {
    await Promise.all([...contexts].map(context => context.close()))
    contexts.clear()
  }
  return {
    url,
    newProfile,
    closePages,
    open: async ({ profile, width = 1280, colorScheme = 'light' } = {}) => {
      const context = await chromium.launchPersistentContext(profile ?? (await newProfile()), {
        args: (process.env['CHROMIUM_FLAGS'] ?? '').split(' ').filter(Boolean),
        ...(process.env['CHROMIUM_PATH'] === undefined ? {} : { executablePath: process.env['CHROMIUM_PATH'] }),
        viewport: { width, height: 800 },
        colorScheme,
        locale: 'en-US',
        timezoneId: 'Europe/Oslo',
      })
      contexts.add(context)
      return openPage(context.pages()[0] ?? (await context.newPage()), url)
    },
    close: async () => {
      await closePages()
      await server.close()
      await Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true })))
    },
  }
}

/** Opens the assistant in a tab and waits until it can be talked to. */
export async function openPage(page: Page, url: string): Promise<AssistantPage> {
  const trouble: string[] = []
  page.on('pageerror', error => trouble.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
  })
  page.on('request', request => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|app:\/\/palimpsest\/|blob:)/u.test(request.url())) trouble.push(`asked for ${request.url()}`)
  })
  await page.goto(url)
  return pageParts(page, trouble)
}

export async function pageParts(page: Page, trouble: readonly string[] = []): Promise<AssistantPage> {
  const box = page.getByRole('textbox', { name: 'Message' })
  const log = page.getByRole('log', { name: 'Conversation' })
  const replies = log.getByTestId('reply')
  await box.waitFor()
  return {
    page,
    context: page.context(),
    box,
    log,
    memory: page.getByRole('region', { name: 'Memory' }),
    trouble,
    say: async text => {
      const count = await replies.count()
      await box.fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
      await replies.nth(count).waitFor()
    },
    lastReply: () => replies.last().innerText(),
  }
}
