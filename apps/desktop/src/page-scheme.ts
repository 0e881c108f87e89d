/**
 * The scheme of the page, `app://palimpsest/`. It is standard and secure, so the page has an origin that stays the same
 * over restarts and updates, and with it its IndexedDB.
 */
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'

const SCHEME = 'app'
export const ORIGIN: string = `${SCHEME}://palimpsest`

/** As the page says it of itself, and what only a header can say: nothing may frame it. Only a header reaches the worker. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** Before the app is ready: afterwards Electron takes no privileges any more. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }])
}

/** Serves the files of one folder, and of no other. */
export function serveFolder(folder: string): void {
  protocol.handle(SCHEME, async request => {
    const path = pathIn(folder, request.url)
    const type = path === undefined ? undefined : TYPES[extname(path)]
    if (request.method !== 'GET' || path === undefined || type === undefined) return new Response('Not found', { status: 404 })
    try {
      return new Response(await readFile(path), { headers: headers(type) })
    } catch {
      return new Response('Not found', { status: 404 })
    }
  })
}

function headers(type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
}

/** Undefined for another host, and for a path that leads out of the folder. */
function pathIn(folder: string, address: string): string | undefined {
  const url = new URL(address)
  if (`${url.protocol}//${url.host}` !== ORIGIN) return undefined
  let name: string
  try {
    name = decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
  if (name.includes('\0')) return undefined
  const path = normalize(join(folder, name === '/' ? 'index.html' : name))
  return path.startsWith(folder + sep) ? path : undefined
}
