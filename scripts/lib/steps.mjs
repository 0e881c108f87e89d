import { parseArgs } from 'node:util'

/**
 * Steps of a run, one after another: a heading, what the step prints, its counts and its time.
 *
 * A step is `{ name, what, run }`; `run` resolves with `{ passed, failed, skipped?, failures? }`, or with `{ leftOut: reason }`.
 * A step that fails does not stop the ones after it, so that one run shows everything that is wrong; what failed is named once
 * more at the end, for those who see only the end of a long output.
 */
export async function runSteps(steps) {
  const total = { passed: 0, failed: 0 }
  const lines = []
  const failures = []
  for (const step of steps) {
    console.log(`\n== ${step.name}: ${step.what}`)
    const start = performance.now()
    const result = await attempt(step)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    if (result.leftOut === undefined) {
      total.passed += result.passed
      total.failed += result.failed
      failures.push(...(result.failures ?? []).map(failure => `FAILED ${step.name}: ${failure}`))
      const skipped = result.skipped ? `, ${result.skipped} skipped` : ''
      lines.push(`${result.failed > 0 ? 'FAILED' : 'ok    '} ${step.name}: ${counts(result)}${skipped} in ${seconds} s`)
    } else {
      lines.push(`LEFT OUT ${step.name}: ${result.leftOut}`)
    }
    console.log(`-- ${lines.at(-1)}`)
  }
  console.log(`\n${[...failures, ...lines].join('\n')}`)
  return total
}

/** The steps that the command line names by `--only a,b`, else all of them. */
export function chooseSteps(steps) {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
  if (values.only === undefined) return steps
  const names = values.only.flatMap(list => list.split(','))
  const unknown = names.filter(name => !steps.some(step => step.name === name))
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}. The steps: ${steps.map(step => step.name).join(', ')}.`)
    process.exit(2)
  }
  return steps.filter(step => names.includes(step.name))
}

export function counts({ passed, failed }) {
  return `${passed} passed, ${failed} failed`
}

/** What a step that is one test gives: passed where every command gave 0. */
export function oneTest(...codes) {
  return codes.every(code => code === 0) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function attempt(step) {
  try {
    return await step.run()
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1 }
  }
}
