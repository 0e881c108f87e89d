/**
 * Breaks the rules of durability one by one and looks whether the tests notice: for each mutation one line, `caught NAME by TEST`,
 * or why not. The last line is `N caught, M survived`.
 *
 *   tsx test/mutations/main.ts [NAME...]
 *
 * A mutation is caught when each of the tests that should notice it fails. A test that hangs, a file that does not load, a test
 * that fails on the source as it is are no proof, and a mutation whose text is not there any more is stale: all of them count
 * as survivors.
 */
import { fileURLToPath } from 'node:url'
import { browserMutations } from './browser-mutations.ts'
import { coreMutations } from './core-mutations.ts'
import { mirrorMutations } from './mirror-mutations.ts'
import { MutatedSource } from './mutated-source.ts'
import type { Catcher, Mutation } from './mutation.ts'
import { nodeMutations } from './node-mutations.ts'
import { TestRuns, type Outcome, type TestName } from './test-runs.ts'

type Verdict = { readonly caughtBy: readonly TestName[] } | { readonly why: string }

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')
const source = new MutatedSource(root)
const runs = await TestRuns.start(root, source)
const chosen = choose([...coreMutations, ...mirrorMutations, ...browserMutations, ...nodeMutations], process.argv.slice(2))
const unmutated = await runs.run(chosen.flatMap(({ caughtBy }) => caughtBy))
let caught = 0
for (const mutation of chosen) {
  const begun = performance.now()
  const verdict = await judge(mutation)
  const seconds = `(${((performance.now() - begun) / 1000).toFixed(1)} s)`
  if ('why' in verdict) console.log(`SURVIVED ${mutation.name}, ${mutation.breaks}: ${verdict.why} ${seconds}`)
  else {
    caught++
    console.log(
      `caught ${mutation.name} by ${verdict.caughtBy.map(({ file, name }) => `${file}: ${name}`).join(', and ')} ${seconds}`,
    )
  }
}
await runs.close()
console.log(`${caught} caught, ${chosen.length - caught} survived`)
process.exit(caught === chosen.length ? 0 : 1)

async function judge(mutation: Mutation): Promise<Verdict> {
  const count = source.occurrences(mutation)
  if (count !== 1) return { why: `stale, its text stands ${count} times in ${mutation.file}` }
  for (const catcher of mutation.caughtBy) {
    if (isRed(catcher, unmutated)) return { why: `without it ${catcher.test} fails as well` }
    if (testOf(catcher, unmutated.passed) === undefined)
      return { why: told(`without it no test ${catcher.test} passes`, unmutated) }
  }
  const outcome = await withMutation(mutation, () => runs.run(mutation.caughtBy))
  if (!source.wasRead) return { why: 'no test has loaded it' }
  const caughtBy: TestName[] = []
  for (const catcher of mutation.caughtBy) {
    const test = testOf(catcher, outcome.failed)
    if (test === undefined) return { why: told(`${catcher.test} does not fail`, outcome) }
    caughtBy.push(test)
  }
  return { caughtBy }
}

async function withMutation<T>(mutation: Mutation, run: () => Promise<T>): Promise<T> {
  const path = source.pathOf(mutation)
  source.set(mutation)
  runs.forget(path)
  try {
    return await run()
  } finally {
    source.unset()
    runs.forget(path)
  }
}

function isRed(catcher: Catcher, { failed }: Outcome): boolean {
  return testOf(catcher, failed) !== undefined
}

function testOf({ file, test }: Catcher, names: readonly TestName[]): TestName | undefined {
  return names.find(one => one.file === file && one.name.includes(test))
}

function told(what: string, { broken }: Outcome): string {
  return [what, ...broken].join('; ')
}

function choose(all: readonly Mutation[], names: readonly string[]): readonly Mutation[] {
  const unknown = names.filter(name => !all.some(mutation => mutation.name === name))
  if (unknown.length > 0) throw new Error(`There is no mutation ${unknown.join(', ')}`)
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}
