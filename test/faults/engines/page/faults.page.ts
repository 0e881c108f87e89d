/** The page under load: does what the harness asks, and tells it of every write that was acknowledged. */
import { MemoryError } from '@palimpsest/core'
import type { FromPage, TabCalls, ToPage } from '../tab-protocol.ts'
import { look, openStore } from './open-store.ts'
import type { OpenStore } from './open-store.ts'
import { readBack } from './read-back.ts'
import { repeatOperations, startWriters } from './writers.ts'
import type { Writers } from './writers.ts'

type Handlers = { readonly [M in keyof TabCalls]: (...args: Parameters<TabCalls[M]>) => Promise<ReturnType<TabCalls[M]>> }

const line = new WebSocket(`ws://${location.host}/line`)
const tell = (message: FromPage): void => line.send(JSON.stringify(message))

let store: OpenStore | undefined
let writers: Writers | undefined

function opened(): OpenStore {
  if (!store) throw new Error('The memory is not open')
  return store
}

const handlers: Handlers = {
  async open(request) {
    const began = performance.now()
    store = await openStore(request)
    return { openMs: performance.now() - began, found: await look(store) }
  },
  async load(request) {
    writers = startWriters(opened().memory, request, tell)
  },
  async stop() {
    await writers?.stop()
  },
  repeat: ({ seed, names }) => repeatOperations(opened().memory, seed, names, tell),
  readBack: () => readBack(opened()),
  async terminate() {
    opened().worker.terminate()
    await writers?.stop()
  },
  closeMemory: () => opened().memory.close(),
  async openTab(url) {
    if (!window.open(url)) throw new Error('The browser does not let a page open another')
  },
  async closeTab() {
    setTimeout(() => window.close())
  },
  async reload() {
    setTimeout(() => location.reload())
  },
}

line.addEventListener('open', () => tell({ hello: new URLSearchParams(location.search).get('tab') ?? '' }))
line.addEventListener('message', async ({ data }: MessageEvent<string>) => {
  const { call, method, args } = JSON.parse(data) as ToPage
  try {
    const handler = handlers[method] as (...given: readonly unknown[]) => Promise<unknown>
    tell({ answer: call, value: await handler(...args) })
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    tell({ answer: call, error: MemoryError.is(error) ? `${error.code}: ${said}` : said })
  }
})
