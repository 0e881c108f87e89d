import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './root.mjs'
import { onStopping } from './stopping.mjs'

/**
 * Runs a program with our own output and resolves with its exit code; 127 where it could not be started.
 *
 * A signal to stop goes on to the program, and this process ends after it: nothing is left running behind us.
 * Standard input is closed unless asked for, so that no program waits for an answer that nobody gives. With
 * `quiet`, what the program prints is shown only where it fails.
 */
export function run(command, args, { cwd = root, env = {}, input = 'ignore', shell = false, quiet = false } = {}) {
  return new Promise(resolve => {
    const output = quiet ? 'pipe' : 'inherit'
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: [input, output, output], shell })
    const held = []
    child.stdout?.on('data', chunk => held.push(chunk))
    child.stderr?.on('data', chunk => held.push(chunk))
    let stoppedBy
    const stopListening = onStopping(signal => {
      stoppedBy = signal
      child.kill(signal)
    })
    const settle = code => {
      stopListening()
      if (code !== 0) process.stdout.write(Buffer.concat(held))
      if (stoppedBy) process.exit(128 + constants.signals[stoppedBy])
      resolve(code)
    }
    child.on('error', error => {
      console.error(`${command} could not be started: ${error.message}`)
      settle(127)
    })
    child.on('close', (code, signal) => settle(signal ? 128 + constants.signals[signal] : code))
  })
}

/** Runs a script under the Node that runs us. */
export function runNode(args, options) {
  return run(process.execPath, args, options)
}
