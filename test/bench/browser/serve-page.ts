/** Builds the page as an application would, and serves what was built. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

export interface ServedPage {
  readonly url: string
  close(): Promise<void>
}

export async function servePage(cache: string): Promise<ServedPage> {
  const shared = {
    root: fileURLToPath(new URL('../page', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    build: { outDir: join(cache, 'page'), emptyOutDir: true, target: 'es2023' },
    worker: { format: 'es' },
  } as const
  await build(shared)
  const server = await preview({
    ...shared,
    preview: {
      host: '127.0.0.1',
      port: 0,
      // An isolated page has a clock that is fine enough: 5 microseconds instead of 100.
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
    },
  })
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
}
