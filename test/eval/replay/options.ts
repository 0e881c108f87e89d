/** What `replay` was asked to do. */
import { parseArgs } from 'node:util'
import { UsageError } from '../usage.ts'
import { MODE_NAMES, type ModeName } from './modes.ts'

export interface ReplayOptions {
  readonly files: readonly string[]
  readonly modes: readonly ModeName[]
  /** List what was not exact, or not from the evidence. */
  readonly misses: boolean
  /** The files beside the workspace, in as many modes as a test run has time for. */
  readonly ci: boolean
}

/** @throws {UsageError} */
export function replayOptions(args: readonly string[]): ReplayOptions {
  const { values, positionals } = parse(args)
  const modes = values.modes?.split(',') ?? MODE_NAMES
  const unknown = modes.find(mode => !isMode(mode))
  if (unknown !== undefined) throw new UsageError(`unknown mode: ${unknown}`)
  const ci = values.ci ?? false
  if (ci && (positionals.length > 0 || values.modes !== undefined)) throw new UsageError('--ci has its own files and modes')
  if (!ci && positionals.length === 0) throw new UsageError('no file was named')
  return { files: positionals, modes: modes.filter(isMode), misses: values.misses ?? false, ci }
}

function parse(args: readonly string[]) {
  const options = { modes: { type: 'string' }, misses: { type: 'boolean' }, ci: { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function isMode(name: string): name is ModeName {
  return (MODE_NAMES as readonly string[]).includes(name)
}
