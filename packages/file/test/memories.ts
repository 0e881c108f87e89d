/** Memories to write to files and to read them into, and files taken apart and put together again. */
import { createHash } from 'node:crypto'
import {
  canonicalJson,
  createClient,
  localTransport,
  MemoryJournal,
  MemoryStore,
  openService,
  type Extractor,
  type Schema,
  type TenantMemory,
} from '@palimpsest/core'
import { exportFile } from '../src/index.ts'

export interface OpenOptions {
  readonly schema?: Schema
  readonly extractors?: readonly Extractor[]
}

export async function openTenant(options: OpenOptions = {}, tenant = 'acme'): Promise<TenantMemory> {
  const service = await openService({ journal: new MemoryJournal(new MemoryStore()), ...options })
  return createClient(localTransport(service)).tenant(tenant, { actor: 'user' })
}

export async function exported(memory: TenantMemory): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of exportFile(memory)) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

export async function exportedText(memory: TenantMemory): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await exported(memory))
}

export function linesOf(file: string): string[] {
  return file.split('\n').slice(0, -1)
}

/** What two exports of one memory must share: everything but the export's id and time, and the hash over them. */
export function comparable(file: string): string {
  return file
    .replace(/"export":"[0-9a-f-]{36}"/u, '"export":""')
    .replace(/"time":"[0-9TZ:.-]{24}"/u, '"time":""')
    .replace(/"sha256":"[0-9a-f]{64}"/u, '"sha256":""')
}

export const HEADER = {
  kind: 'header',
  format: 'sgam',
  version: 1,
  oldestReader: 1,
  export: '01890a5d-ac96-774b-bcce-b302099a8057',
  time: '2026-06-01T00:00:00.000Z',
  producer: 'test',
  mode: 'backup',
}

/** A file whose hash is right, whatever stands in it. `footer` replaces fields of the footer that would be right. */
export function fileOf(lines: readonly string[], footer: object = {}, header: string = canonicalJson(HEADER)): string {
  const body = [header, ...lines].map(line => `${line}\n`).join('')
  const counts: Record<string, number> = {}
  for (const line of lines) {
    const kind = /"kind":"(\w+)"/u.exec(line)?.[1] ?? 'unknown'
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  const sha256 = createHash('sha256').update(body).digest('hex')
  return `${body}${canonicalJson({ kind: 'footer', counts, sha256, left: [], ...footer })}\n`
}

/** The line of an episode, with other or further fields. */
export function episodeLine(fields: object = {}): string {
  return canonicalJson({
    kind: 'episode',
    id: 'e',
    clock: '018f00000000-0000-test',
    at: '2026-06-01T00:00:00.000Z',
    author: 'user',
    episodeKind: 'message',
    text: 'hello',
    ...fields,
  })
}

/** The line of an assertion with this value, which is given as JSON text so that it may be what no program would write. */
export function assertionLine(value: string): string {
  const line = canonicalJson({
    kind: 'assertion',
    id: 'a',
    clock: '018f00000000-0001-test',
    by: 'user',
    subject: 's',
    attribute: 'x',
    statement: 'value',
    value: 'VALUE',
    validFrom: '2026-06-01T00:00:00Z',
    validUntil: null,
    dated: true,
    trust: 'user',
    saidAt: '2026-06-01T00:00:00.000Z',
    saidOffset: 0,
    evidence: [],
    born: 'accepted',
    memoryType: 'fact',
    schemaVersion: 1,
  })
  return line.replace('"VALUE"', () => value)
}
