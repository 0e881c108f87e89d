/** npm run eval -- COMMAND ...: the evaluations of test/eval, on the data files that are named. */
import './lib/node-version.mjs'
import { installOrExit } from './lib/install.mjs'
import { sharedDir } from './lib/shared-dir.mjs'
import { runTypeScript } from './lib/tsx.mjs'

await installOrExit()
process.exitCode = await runTypeScript('test/eval/main.ts', process.argv.slice(2), { env: { SHARED_DIR: sharedDir } })
