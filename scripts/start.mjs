/**
 * npm start: builds the assistant where it changed, serves it on this machine only, and prints its address as the last line.
 *
 *   npm start -- --port N
 *
 * Where Electron is already there and a display is, the desktop window opens beside it; never under CI.
 */
import './lib/node-version.mjs'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ASSISTANT, DESKTOP, buildApp } from './lib/apps.mjs'
import { findElectron, hasDisplay } from './lib/electron.mjs'
import { freePort } from './lib/free-port.mjs'
import { installOrExit } from './lib/install.mjs'
import { root } from './lib/root.mjs'
import { onStopping } from './lib/stopping.mjs'
import { viteOf } from './lib/vite.mjs'
import { openWindow } from './lib/window.mjs'

const HOST = '127.0.0.1'
// A browser keeps what a page stores by its address, port included: another port would be another, empty memory.
const USUAL_PORT = 4747

async function serve(port) {
  const { preview } = await import(pathToFileURL(viteOf(ASSISTANT.folder).module))
  // `allowedHosts: []` still lets localhost and addresses through, and refuses every name that points here from outside.
  const options = { host: HOST, port, strictPort: true, open: false, allowedHosts: [] }
  return preview({ root: join(root, ASSISTANT.folder), logLevel: 'warn', preview: options })
}

async function windowBeside() {
  const electron = findElectron()
  if (process.env.CI || !electron || !hasDisplay()) return undefined
  if (!(await buildApp(DESKTOP))) return undefined
  // Its output goes to a file, so that the address stays the last line.
  const log = join(root, '.cache/desktop.log')
  mkdirSync(dirname(log), { recursive: true })
  const file = openSync(log, 'w')
  const window = openWindow(electron, { stdio: ['ignore', file, file] })
  closeSync(file)
  window.on('error', error => console.error(`The desktop window could not be opened: ${error.message}`))
  return window
}

function portAskedFor() {
  const { values } = parseArgs({ options: { port: { type: 'string' } } })
  if (values.port === undefined) return undefined
  const port = Number(values.port)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  console.error(`--port takes a number from 1 to 65535, not ${values.port}.`)
  return process.exit(2)
}

async function usualOrFreePort() {
  const port = await freePort(HOST, USUAL_PORT)
  if (port !== USUAL_PORT) {
    console.log(
      `Port ${USUAL_PORT} is taken. A browser keeps what a page stores by its address, so this one starts with another memory.`,
    )
  }
  return port
}

const asked = portAskedFor()
await installOrExit()
if (!(await buildApp(ASSISTANT))) process.exit(1)

const port = asked ?? (await usualOrFreePort())
const server = await serve(port).catch(error => {
  console.error(`The assistant could not be served: ${error.message}`)
  return process.exit(1)
})
const window = await windowBeside()
if (window) console.log('The desktop window is opening as well; it keeps a memory of its own.')

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  window?.kill()
  await server.close()
  process.exit(0)
}
// Vite has a listener of its own for SIGTERM, which would end the process with an exit code of failure.
process.removeAllListeners('SIGTERM')
onStopping(stop)

console.log('The assistant is ready; stop it with Ctrl+C. Its address:')
console.log(`http://${HOST}:${port}/`)
