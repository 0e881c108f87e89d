/** Who holds a lock, and whether that process still runs: its pid, and what tells it from a later process of the same pid. */
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

export interface LockHolder {
  readonly pid: number
  /** Unique for every attempt to lock. */
  readonly nonce: string
  readonly host: string
  /** The run of the operating system; Linux only, as the next two. */
  readonly boot?: string
  /** The namespace in which the pid counts: containers number their processes by themselves. */
  readonly namespace?: string
  /** When the process started, in clock ticks since boot. */
  readonly start?: string
}

/** `unknown`: it may run on another machine or in another container, where we cannot look. */
export type HolderState = 'alive' | 'dead' | 'unknown'

export async function thisProcess(nonce: string): Promise<LockHolder> {
  const [machine, process_] = await Promise.all([thisMachine(), processStat(process.pid)])
  return { pid: process.pid, nonce, ...machine, ...(process_ ? { start: process_.start } : {}) }
}

export async function stateOf(holder: LockHolder): Promise<HolderState> {
  const here = await thisMachine()
  if (holder.boot === undefined || here.boot === undefined) {
    if (holder.host !== here.host) return 'unknown'
  } else if (holder.boot !== here.boot) {
    // The same machine has been started again since; another one's processes cannot be seen.
    return holder.host === here.host ? 'dead' : 'unknown'
  } else if (holder.namespace !== here.namespace) return 'unknown'
  if (!isRunning(holder.pid)) return 'dead'
  const stat = await processStat(holder.pid)
  if (!stat || holder.start === undefined) return 'alive'
  // A zombie runs no more; another start means that the pid was given to another process.
  return stat.start === holder.start && !'ZX'.includes(stat.state) ? 'alive' : 'dead'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function thisMachine(): Promise<Pick<LockHolder, 'host' | 'boot' | 'namespace'>> {
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => undefined),
    readlink('/proc/self/ns/pid').catch(() => undefined),
  ])
  return { host: hostname(), ...(boot ? { boot: boot.trim() } : {}), ...(namespace ? { namespace } : {}) }
}

/** undefined where the system has no /proc, or the process is gone. */
async function processStat(pid: number): Promise<{ readonly state: string; readonly start: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  // The name of the program stands in parentheses and may hold anything; fields 3 (state) and 22 (start) come after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, start] = [fields[0], fields[19]]
  return state && start ? { state, start } : undefined
}

/** The holder that the content of a lock file names; undefined where it does not name one. */
export function parseHolder(content: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(content) as Partial<LockHolder> | null
    if (typeof holder?.pid !== 'number' || typeof holder.nonce !== 'string' || typeof holder.host !== 'string') return undefined
    return /^[0-9a-f]{16}$/.test(holder.nonce) ? (holder as LockHolder) : undefined
  } catch {
    return undefined
  }
}
