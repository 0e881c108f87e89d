/** The control: as faults.worker.ts, over a journal that acknowledges what it has yet to store. */
import { openService } from '@palimpsest/core'
import type { CallRequest, CallResponse } from '@palimpsest/core'
import { openIndexedDbJournal } from '@palimpsest/browser/worker'
import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'
import { earlyJournal } from './early-journal.ts'
import { schema } from './faults.schema.ts'

/** What the page asks: first to open a store by name, then calls. */
export type EarlyRequest = { readonly id: number } & ({ readonly open: string } | { readonly request: CallRequest })

export interface EarlyAnswer {
  readonly id: number
  readonly response: CallResponse
}

const opened = (async () => {
  const name = await new Promise<EarlyRequest>(resolve => {
    addEventListener('message', ({ data }: MessageEvent<EarlyRequest>) => resolve(data), { once: true })
  })
  if (!('open' in name)) throw new Error('The first message opens the store')
  const journal = earlyJournal(await openIndexedDbJournal(name.open))
  const service = await openService({ journal, sql: { wasmUrl }, schema })
  postMessage({ id: name.id, response: { ok: true, value: null } } satisfies EarlyAnswer)
  return service
})()

addEventListener('message', async ({ data }: MessageEvent<EarlyRequest>) => {
  if (!('request' in data)) return
  const response = await (await opened).handle(data.request)
  postMessage({ id: data.id, response } satisfies EarlyAnswer)
})
