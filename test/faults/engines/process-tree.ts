/** Browsers as processes: started in a group of their own, and killed with everything that they started. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

export interface ProcessTree {
  readonly child: ChildProcess
  /** Ends every process of it at this instant with SIGKILL, and waits until none is left. */
  kill(): Promise<void>
  /** Asks the first process to end, and waits; what does not end within `timeoutMs` is killed. */
  close(timeoutMs: number): Promise<void>
}

interface Status {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly dead: boolean
}

/** Inherited by what a process starts, also by what leaves its group and its parent (crash handlers do). */
const MARK = 'PALIMPSEST_FAULTS_TREE'

/** Groups that run: a harness that ends in the middle leaves none behind. */
const running = new Set<number>()
process.on('exit', () => {
  for (const root of running) signal(-root)
})

export function startTree(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): ProcessTree {
  const mark = randomUUID()
  const child = spawn(command, args, { detached: true, stdio: 'ignore', env: { ...process.env, ...env, [MARK]: mark } })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  failed.catch(() => {})
  const root = child.pid
  if (root !== undefined) running.add(root)
  const kill = async (): Promise<void> => {
    if (root === undefined) return failed
    // The group in one call: no process of it sees another one die first. What left the group is found by its mark.
    signal(-root)
    for (;;) {
      const members = await membersOf(root, mark)
      if (members.length === 0) {
        running.delete(root)
        return
      }
      for (const pid of members) signal(pid)
      await pause(5)
    }
  }
  return {
    child,
    kill,
    close: async timeoutMs => {
      child.kill('SIGTERM')
      if (root === undefined) return failed
      const deadline = Date.now() + timeoutMs
      while (Date.now() < deadline && (await membersOf(root, mark)).length > 0) await pause(20)
      await kill()
    },
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** Everything alive that is in the group of `root`, descends from it, or carries the mark. */
async function membersOf(root: number, mark: string): Promise<number[]> {
  const all = (await Promise.all((await readdir('/proc')).filter(name => /^\d+$/u.test(name)).map(statusOf))).filter(
    status => status !== undefined,
  )
  const found = new Set<number>([root])
  for (let before = 0; before !== found.size;) {
    before = found.size
    for (const { pid, parent, group } of all) if (group === root || found.has(parent)) found.add(pid)
  }
  const strays = all.filter(({ pid, parent }) => parent === 1 && !found.has(pid))
  const marked = await Promise.all(strays.map(async ({ pid }) => ((await environmentOf(pid)).includes(mark) ? pid : 0)))
  for (const pid of marked) if (pid !== 0) found.add(pid)
  return all.filter(({ pid, dead }) => found.has(pid) && !dead).map(({ pid }) => pid)
}

async function statusOf(name: string): Promise<Status | undefined> {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
  // The second field is the command in brackets, and may hold anything.
  const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (parent === undefined || group === undefined) return undefined
  return { pid: Number(name), parent: Number(parent), group: Number(group), dead: state === 'Z' || state === 'X' }
}

function environmentOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
}
