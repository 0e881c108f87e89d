/** Builds and serves the page, and keeps the line to every tab. It outlives the browsers, so their origin stays the same. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { WebSocketServer } from 'ws'
import { TabLine } from './tab-line.ts'
import type { FromPage } from './tab-protocol.ts'

export interface FaultServer {
  /** How the browser called itself that connected last; empty before the first. */
  readonly userAgent: string
  /** The address of a tab of that name; names are used once. Every third one writes in parts: see `writesInParts`. */
  url(tab: string): string
  /** The line to the page that loads next under this name. @throws {NoPage} when none does within `timeoutMs` */
  connected(tab: string, timeoutMs: number): Promise<TabLine>
  /** Hears of every acknowledged and every failed write, and from which tab. */
  onWrite(listener: (message: Extract<FromPage, { ack: string } | { failed: string }>, tab: string) => void): void
  close(): Promise<void>
}

/** A browser brought no page up in time. */
export class NoPage extends Error {}

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

export async function startFaultServer(): Promise<FaultServer> {
  const outDir = await mkdtemp(join(tmpdir(), 'palimpsest-faults-page-'))
  await Promise.all([buildPage(join(outDir, 'whole')), buildPage(join(outDir, 'parts'), lowLimits)])
  const http = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    try {
      const body = await readFile(join(outDir, path))
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  const waiting = new Map<string, (line: TabLine) => void>()
  let heard: Parameters<FaultServer['onWrite']>[0] = () => {}
  const sockets = new WebSocketServer({ server: http })
  const names = new WeakMap<TabLine, string>()
  let userAgent = ''
  sockets.on('connection', (socket, request) => {
    userAgent = request.headers['user-agent'] ?? ''
    const line = new TabLine(socket)
    socket.on('message', data => {
      const message = JSON.parse((data as Buffer).toString('utf8')) as FromPage
      if ('hello' in message) {
        names.set(line, message.hello)
        waiting.get(message.hello)?.(line)
        waiting.delete(message.hello)
      } else if ('answer' in message) line.answered(message)
      else heard(message, names.get(line) ?? '')
    })
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    get userAgent() {
      return userAgent
    },
    url: tab => {
      const page = writesInParts(tab) ? 'parts' : 'whole'
      return `http://127.0.0.1:${port}/${page}/faults.html?tab=${encodeURIComponent(tab)}`
    },
    connected: (tab, timeoutMs) => {
      const line = new Promise<TabLine>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(tab)
          reject(new NoPage(`No page came up as ${tab} within ${timeoutMs} ms`))
        }, timeoutMs)
        waiting.set(tab, up => {
          clearTimeout(timer)
          resolve(up)
        })
      })
      // Who waits for it may have failed before, at what was to bring the page up.
      line.catch(() => {})
      return line
    },
    onWrite: listener => {
      heard = listener
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/**
 * Whether the page of this tab has the limits of an entry and an append lowered, so that most batches are commits of several
 * appends. What they store is for all pages.
 */
export function writesInParts(tab: string): boolean {
  return Number(tab.split('.').at(-1)) % 3 === 0
}

async function buildPage(outDir: string, plugin?: () => Plugin): Promise<void> {
  const root = fileURLToPath(new URL('./page/', import.meta.url))
  const plugins = plugin === undefined ? [] : [plugin()]
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins,
    worker: { format: 'es', plugins: () => plugins },
    build: { outDir, emptyOutDir: true, minify: false, rollupOptions: { input: join(root, 'faults.html') } },
  })
}

const LIMITS = '/core/src/journal/limits.ts'

function lowLimits(): Plugin {
  let isLowered = false
  return {
    name: 'low-limits',
    load: id => {
      if (!id.endsWith(LIMITS)) return undefined
      isLowered = true
      // A fact takes some 500 bytes.
      return 'export const ENTRY_BYTES = 600\nexport const APPEND_BYTES = 1_400\n'
    },
    closeBundle: () => {
      if (!isLowered) throw new Error(`No page is built with ${LIMITS}: it has moved`)
    },
  }
}
