/** One fault after the other: at the first call that it can meet, at the second, until there is no call left to meet. */
import type { FaultKind } from './fault-kinds.ts'
import { FaultInjector } from './faulty-journal.ts'
import { liveUnderFault, type Script } from './under-fault.ts'
import { judge } from './verdict.ts'

/** @returns the calls that were met, in their order */
export async function explore(script: Script, kind: FaultKind): Promise<string[]> {
  const met: string[] = []
  for (let at = 1; ; at++) {
    const injector = new FaultInjector({ kind, at, lag: 1 + ((at + script.seed) % 7) })
    try {
      const lived = await liveUnderFault(script, injector)
      await judge(lived, injector)
      await lived.letGo()
    } catch (error) {
      const where = `${JSON.stringify({ ...script, ...injector.fault })}, met ${injector.fired ?? 'nothing'}`
      throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
    if (injector.fired === undefined) return met
    met.push(injector.fired)
  }
}
