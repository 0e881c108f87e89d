/** Builds the page as an application would, and serves what was built. */
import { join } from 'node:path'
import { build, preview } from 'vite'

export interface ServedPage {
  readonly url: string
  close(): Promise<void>
}

/** @param root the folder of the page's index.html */
export async function servePage(cache: string, root: string): Promise<ServedPage> {
  const shared = {
    root,
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
