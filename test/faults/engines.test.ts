/** Real browsers, killed under load: nothing that was acknowledged is lost. The small size; `engines/main.ts` does the large. */
import { expect, test } from 'vitest'
import { engines } from './engines/engines.ts'
import { faultsIn, violations } from './engines/figures.ts'
import { runEngine } from './engines/run-engine.ts'
import { sizeOf } from './engines/sizes.ts'

const seed = process.env['PALIMPSEST_FAULTS_SEED'] ?? `${Date.now()}`
const say = (text: string): void => void process.stderr.write(`${text}\n`)

for (const engine of engines()) {
  const missing = engine.missing()
  if (missing !== undefined) say(`${engine.name} is left out: ${missing}`)
  test.skipIf(missing !== undefined)(
    `${engine.name}: what was acknowledged outlives every fault`,
    async () => {
      say(`PALIMPSEST_FAULTS_SEED=${seed}`)
      const report = await runEngine(engine, { size: 'ci', seed, minutes: 20, remark: say, before: undefined })
      say(JSON.stringify(report))
      const size = sizeOf('ci', engine)
      expect(report.control).toMatchObject({ caught: true })
      expect(violations(report)).toEqual([])
      expect(report.crashes).toBe(0)
      // WebKitGTK now and then shows nothing at all (once in some 250 faults); the store is looked at in the next browser.
      expect(report.stalls).toBeLessThanOrEqual(engine.name === 'webkit' ? 1 : 0)
      expect(report.complete).toBe(true)
      expect(faultsIn(report)).toBeGreaterThanOrEqual(size.faults)
      expect(report.acks).toBeGreaterThanOrEqual(size.acks)
      expect(report.wipes).toBeGreaterThanOrEqual(size.wipes)
    },
    1_500_000,
  )
}
