/**
 * Chromium, headless, with its profile on the disk. It is started without a debugging port: the page talks for itself.
 * IndexedDB stands in LevelDB by default; `sqlite` is the way that is to follow, still behind a flag.
 */
import type { Engine } from './engine.ts'
import { firstExecutable } from './executable.ts'
import { startTree } from './process-tree.ts'

/** None of them changes what a page sees stored: they keep the browser quiet, and its pages awake behind one another. */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-extensions',
  '--disable-popup-blocking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-default-apps',
  '--disable-component-extensions-with-background-pages',
  '--disable-features=PreloadTopChromeWebUI,SpareRendererForSitePerProcess,Translate,OptimizationHints,MediaRouter',
  '--in-process-gpu',
]

/** Fewer processes start in half the time; the one that stores stays what it is. */
const FEATURES = ['NetworkServiceInProcess2']
const SQLITE_FEATURE = 'IdbSqliteBackingStore'

export function chromiumEngine(): Engine {
  const named = process.env['CHROMIUM_PATH']
  const executable = firstExecutable(named === undefined ? ['/usr/bin/chromium', '/usr/bin/google-chrome'] : [named])
  return {
    name: 'chromium',
    backends: ['leveldb', 'sqlite'],
    hasMirror: true,
    missing: () => (executable === undefined ? 'no Chromium (apt-get install chromium, or CHROMIUM_PATH)' : undefined),
    launch: ({ profile, url, backend }) => {
      const features = backend === 'sqlite' ? [...FEATURES, SQLITE_FEATURE] : FEATURES
      const flags = [...FLAGS, `--enable-features=${features.join()}`, `--user-data-dir=${profile}`]
      const tree = startTree(executable ?? '', [...flags, url])
      return Promise.resolve({ kill: tree.kill, close: () => tree.close(10_000) })
    },
    dispose: () => Promise.resolve(),
  }
}
