/** The page that writes for a long time, and says now and then how it stands. */
import { openMemory } from '@palimpsest/browser'
import type { Memory } from '@palimpsest/core'
import { mirrorBytes } from '../../page/mirror-bytes.ts'
import type { schema } from '../../page/schema.ts'
import { median, p95 } from '../../statistics.ts'
import { TENANT, instant, syntheticFact } from '../../synthetic-facts.ts'
import type { Point } from '../point.ts'
import { plotPoints } from './plot-points.ts'

declare global {
  interface Window {
    endurance: {
      begin(commits: number): Promise<void>
      /** So many commits, one after the other; then one look at everything but the process. */
      go(commits: number): Promise<Omit<Point, 'processBytes'>>
      plot: typeof plotPoints
    }
  }
}

const NAME = 'endurance'

let memory: Memory<typeof schema> | undefined
let size = 0
let done = 0
let dataBytes = 0

function open(): Promise<Memory<typeof schema>> {
  const worker = new Worker(new URL('../../page/memory.worker.ts', import.meta.url), { type: 'module' })
  return openMemory<typeof schema>({ name: NAME, worker })
}

window.endurance = {
  plot: plotPoints,

  async begin(commits) {
    size = commits
    memory = await open()
    const tenant = memory.tenant(TENANT)
    await tenant.record({ id: 'e1', text: 'Everything in this store was said here.', author: 'user', at: instant(0) })
  },

  async go(commits) {
    if (memory === undefined) throw new Error('begin first')
    const tenant = memory.tenant(TENANT)
    const samplesMs: number[] = []
    for (let n = done; n < done + commits; n++) {
      const { subject, attribute, value, from } = syntheticFact(n, size)
      const input = { subject, attribute, value, validFrom: instant(from), from: 'e1' }
      const started = performance.now()
      await tenant.assert(input)
      samplesMs.push(performance.now() - started)
      dataBytes += JSON.stringify(input).length
    }
    done += commits
    const { sizeBytes, generation, deltas, head, floor } = await memory.health()
    // Another replica, as another tab would be: it opens what is stored now.
    const started = performance.now()
    const other = await open()
    const openMs = performance.now() - started
    const found = await other.query('select count(*) as facts from memory_facts')
    if (found[0]?.['facts'] !== done) throw new Error(`${String(found[0]?.['facts'])} facts are there after ${done} commits`)
    await other.close()
    return {
      commits: done,
      commitMs: median(samplesMs),
      commitP95Ms: p95(samplesMs),
      slowestMs: Math.max(...samplesMs),
      openMs,
      dataBytes,
      storeBytes: sizeBytes,
      mirrorBytes: await mirrorBytes(NAME),
      tail: head - floor,
      generation,
      deltas,
    }
  },
}
