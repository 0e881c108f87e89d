/** npm run bench -- ...: the measurements of test/bench, beside better-sqlite3 where it can be installed. */
import './lib/node-version.mjs'
import { findChromium } from './lib/chromium.mjs'
import { installOrExit } from './lib/install.mjs'
import { installPeer } from './lib/bench-peer.mjs'
import { runTypeScript } from './lib/tsx.mjs'

await installOrExit()
const peers = await installPeer()
const chromium = findChromium()
const env = { ...(peers && { BENCH_PEERS: peers }), ...(chromium && { CHROMIUM_PATH: chromium }) }
process.exitCode = await runTypeScript('test/bench/main.ts', process.argv.slice(2), { env })
