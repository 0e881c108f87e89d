/** npm run demo: the command `palimpsest demo` from the sources, with the arguments that follow. */
import './lib/node-version.mjs'
import { installOrExit } from './lib/install.mjs'
import { runNode } from './lib/run.mjs'

await installOrExit()
process.exitCode = await runNode(['packages/node/bin/palimpsest.mjs', 'demo', ...process.argv.slice(2)], { input: 'inherit' })
