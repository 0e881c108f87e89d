/** Vitest, started once for all runs: the projects `unit` and `chromium` of the workspace over the mutated source. */
import { join } from 'node:path'
import { loadConfigFromFile, type UserConfig } from 'vite'
import type { ViteUserConfig } from 'vitest/config'
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import type { MutatedSource } from './mutated-source.ts'
import type { Catcher } from './mutation.ts'

/** For what hangs. */
const LIMIT_MS = 60_000

export interface Outcome {
  /** Tests that passed, of those that were asked for. */
  readonly passed: readonly TestName[]
  /** Tests that threw, or expected something in vain. */
  readonly failed: readonly TestName[]
  /** What else went wrong and proves nothing: a file that does not load, a test that hangs or meets a name that is not there. */
  readonly broken: readonly string[]
}

export interface TestName {
  readonly file: string
  /** With the names of its groups, a space between. */
  readonly name: string
}

export class TestRuns {
  readonly #vitest: Vitest
  readonly #root: string

  private constructor(vitest: Vitest, root: string) {
    this.#vitest = vitest
    this.#root = root
  }

  static async start(root: string, source: MutatedSource): Promise<TestRuns> {
    const loaded = await loadConfigFromFile({ command: 'serve', mode: 'test' }, join(root, 'vite.config.ts'), root)
    const { worker = {}, test } = (loaded?.config ?? {}) as ViteUserConfig
    // Other plugins, other pre-built dependencies: in a folder of their own, or two configurations would take turns in one.
    const cacheDir = join(root, '.cache/mutations')
    const own: UserConfig = { cacheDir, worker, plugins: [source.plugin()], logLevel: 'warn' }
    const projects = (test?.projects ?? []).flatMap(project => {
      if (typeof project !== 'object' || !('test' in project)) return []
      const { extends: _, ...options } = project
      const name = options.test?.name
      if (name !== 'unit' && name !== 'chromium') return []
      return [{ ...options, ...own, test: { ...options.test, testTimeout: LIMIT_MS } }]
    })
    const vitest = await createVitest('test', { root, config: false, watch: false, reporters: [{}], projects })
    await vitest.standalone()
    return new TestRuns(vitest, root)
  }

  /** What was made of a file is void: it is to be read again. */
  forget(path: string): void {
    this.#vitest.invalidateFile(path)
  }

  async run(catchers: readonly Catcher[]): Promise<Outcome> {
    const files = new Map<string, Catcher[]>()
    for (const catcher of catchers) files.set(catcher.file, [...(files.get(catcher.file) ?? []), catcher])
    const specifications = [...files].map(([file, ofFile]) => {
      const [wanted] = ofFile.map(({ project }) => project)
      // A browser's name stands behind that of its project.
      const project = this.#vitest.projects.find(({ name }) => name.split(' ', 1)[0] === wanted)
      if (project === undefined) throw new Error(`There is no project ${wanted}`)
      // What a file's own pattern comes to on its way into a browser fits every test.
      const pattern = wanted === 'unit' ? { testNamePattern: patternOf(ofFile) } : {}
      return project.createSpecification(join(this.#root, file), pattern)
    })
    this.#vitest.setGlobalTestNamePattern(patternOf(catchers))
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications)
    const ran = testModules.filter(({ moduleId }) => specifications.some(one => one.moduleId === moduleId))
    return outcomeOf(ran, unhandledErrors)
  }

  close(): Promise<void> {
    return this.#vitest.close()
  }
}

function outcomeOf(modules: readonly TestModule[], errors: readonly unknown[]): Outcome {
  const tests = modules.flatMap(module => [...module.children.allTests()])
  const red = tests.filter(test => test.result().state === 'failed')
  const failed = red.filter(test => provesNothing(test) === undefined)
  return {
    passed: tests.filter(test => test.result().state === 'passed').map(nameOf),
    failed: failed.map(nameOf),
    broken: [
      ...modules.flatMap(module => module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`)),
      ...red.flatMap(test => provesNothing(test) ?? []),
      ...errors.map(error => (error instanceof Error ? error.message : JSON.stringify(error))),
    ],
  }
}

/** Why a failure is none of what was to be found. */
function provesNothing(test: TestCase): string | undefined {
  const { errors = [] } = test.result()
  const error = errors.find(({ name, message }) => name === 'ReferenceError' || message.includes('timed out in'))
  return error && `${nameOf(test).name}: ${error.message}`
}

function nameOf(test: TestCase): TestName {
  return { file: test.module.relativeModuleId, name: test.fullName.replaceAll(' > ', ' ') }
}

function patternOf(catchers: readonly Catcher[]): RegExp {
  return new RegExp(catchers.map(({ test }) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'))
}
