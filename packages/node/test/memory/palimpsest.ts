/** The `palimpsest` command as a person runs it: another process. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const BIN = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url))

export function palimpsest(...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, NO_COLOR: '1' } })
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, out, err }))
  })
}
