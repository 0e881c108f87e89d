/** The evaluation itself: what is right passes in every mode, and whatever is wrong is seen. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Fact, TenantMemory } from '@palimpsest/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExpectedLedger } from '../eval/replay/expected-ledger.ts'
import { checkSlot, flaws } from '../eval/replay/ledger-check.ts'
import { MODES, MODE_NAMES } from '../eval/replay/modes.ts'
import { Problems } from '../eval/replay/problems.ts'
import { judge } from '../eval/replay/questions.ts'
import { replay } from '../eval/replay/replay.ts'
import { readReplayFile, type FactEvent, type ReplayFile, type SlotQuestion } from '../eval/replay/replay-file.ts'
import type { Terminal } from '../eval/replay/terminal.ts'

const path = (name: string): string => fileURLToPath(new URL(`../fixtures/replay/${name}.jsonl`, import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-eval-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a file whose outcome is known', () => {
  test.for(MODE_NAMES)('single-valued, %s: every answer exact and from its evidence', async mode => {
    const result = await run('single', mode)
    expect(result).toMatchObject({ notes: [], problems: 0, misses: [] })
    expect(result.line).toMatchObject({ file: 'single.jsonl', mode, facts: 7, questions: 7, exact: 1, provenance: 1 })
  })

  test.for(MODE_NAMES)('many-valued, %s: every answer exact and from its evidence', async mode => {
    const result = await run('many', mode)
    expect(result).toMatchObject({ notes: [], problems: 0, misses: [] })
    expect(result.line).toMatchObject({ file: 'many.jsonl', mode, facts: 4, questions: 4, exact: 1, provenance: 1 })
  })
})

describe('what is wrong is seen', () => {
  test('a wrong gold answer, a wrong nothing and a wrong source are misses', async () => {
    const { line, misses } = await run('wrong-gold', 'in-order')
    expect(line).toMatchObject({ questions: 4, exact: 0.5, provenance: 2 / 3 })
    expect(misses.map(miss => [miss.question.id, miss.exact, miss.supported])).toEqual([
      ['wrong value', false, true],
      ['wrong nothing', false, null],
      ['wrong source', true, false],
    ])
  })

  test('a malformed line is reported with its number, and the rest is read', async () => {
    const complaints: [line: number, reason: string][] = []
    const file = await readReplayFile(path('malformed'), (line, reason) => complaints.push([line, reason]))
    expect(complaints).toEqual([
      [3, expect.stringContaining('not JSON')],
      [4, expect.stringContaining('fact.valid_from')],
      [5, 'fact.value: is missing'],
      [6, 'must have exactly one key: episode, fact or question'],
    ])
    expect(file).toMatchObject({ malformed: 4, facts: [{ line: 2 }], questions: [{ line: 8 }] })
  })

  test('a write that the memory refuses is a problem of its line', async () => {
    const blank = JSON.parse((await lines('wrong-gold'))[2] ?? '') as { fact: { subject: string } }
    blank.fact.subject = ' '
    await writeFile(join(folder, 'refused.jsonl'), JSON.stringify(blank))
    const { problems, notes } = await runPath(join(folder, 'refused.jsonl'), 'shuffle-1')
    // The write itself, and what is therefore not there.
    expect(problems).toBe(2)
    expect(notes).toEqual([
      expect.stringMatching(/^refused\.jsonl shuffle-1:1: refused: .*subject/),
      expect.stringContaining('history: nothing instead of "tea"'),
    ])
  })

  test.for<[string, string, ReturnType<typeof fact>[]]>([
    ['open', 'open: more than one', [fact('a', 'x', 1, null), fact('b', 'y', 2, null)]],
    ['overlap', 'overlap: a', [fact('a', 'x', 1, 3), fact('b', 'y', 2, null)]],
    ['supersedes missing', 'supersedes: b', [fact('a', 'x', 1, 2), fact('b', 'y', 2, null)]],
    ['supersedes over a gap', 'supersedes: b', [fact('a', 'x', 1, 2), fact('b', 'y', 3, null, 'a')]],
    ['another value', 'history: "x"', [fact('a', 'x', 1, 2), fact('b', 'z', 2, null, 'a')]],
    ['nothing', 'history: nothing', []],
  ])('a ledger with a flaw: %s', ([, begins, facts]) => {
    const wanted = [
      { value: '"x"', from: day(1), to: day(2) },
      { value: '"y"', from: day(2), to: null },
    ]
    expect(flaws([fact('a', 'x', 1, 2), fact('b', 'y', 2, null, 'a')], wanted)).toEqual([])
    expect(flaws(facts, wanted)).toContainEqual(expect.stringMatching(new RegExp(`^${begins}`)))
  })

  test('a memory that holds something else is found out by the last check, also where no question asks for it', async () => {
    const original = MODES['shuffle-1']
    const replaced = MODES as { 'shuffle-1': typeof original }
    replaced['shuffle-1'] = async running => {
      const memory = await original(running)
      const validFrom = '2026-06-07T00:00:00Z'
      await memory.tenant('acme-corp').retract({ subject: 'Mira', attribute: 'passport_deadline', validFrom })
      return memory
    }
    try {
      const { problems, notes } = await run('single', 'shuffle-1', true)
      expect(problems).toBe(1)
      expect(notes).toEqual([
        expect.stringMatching(/acme-corp.*history: false .*2026-06-07T00:00:00Z\) instead of false .*open\)/),
      ])
    } finally {
      replaced['shuffle-1'] = original
    }
  })

  test.for<[string, { get?: Fact; history?: Fact[] }, string[]]>([
    ['nothing', {}, []],
    ['another value now', { get: fact('a', 'y', 1, null) }, ['value: "x" must hold at 2026-01-01T00:00:00Z, not "y"']],
    ['no history', { history: [] }, ['history: nothing instead of "x"']],
    ['an interval that ends', { history: [fact('a', 'x', 1, 2)] }, ['history: "x" [2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)']],
  ])('in order, what a slot says wrongly is a problem of the fact just told: %s', async ([, wrong, reasons]) => {
    const right = fact('a', 'x', 1, null)
    const tenant = {
      get: async () => wrong.get ?? right,
      facts: async () => ({ facts: wrong.history ?? [right], next: null }),
    } as unknown as TenantMemory
    const expected = new ExpectedLedger(false)
    const one = told('set', 'x', 1)
    expected.tell(one)
    const notes: string[] = []
    const problems = new Problems({ note: text => notes.push(text), progress: () => {} }, 'file')
    await checkSlot(tenant, one, { many: false } as ReplayFile, expected, problems)
    expect(notes).toEqual(reasons.map(reason => expect.stringContaining(`file:1: ${reason}`)))
    expect(problems.count).toBe(reasons.length)
  })
})

describe('the expected ledger', () => {
  test('a bounded value gives way again, and a retraction of everything ends every value', () => {
    const single = new ExpectedLedger(false)
    single.tell(told('set', 'Oslo', 1))
    single.tell(told('set', 'Paris', 10, 20))
    expect(single.history('t', 's', 'a').map(({ value, from }) => [value, from])).toEqual([
      ['"Oslo"', day(1)],
      ['"Paris"', day(10)],
      ['"Oslo"', day(20)],
    ])
    const many = new ExpectedLedger(true)
    for (const value of ['x', 'y']) many.tell(told('add', value, 1))
    many.tell(told('end', null, 5))
    expect(many.at('t', 's', 'a', instant(4))).toEqual(['"x"', '"y"'])
    expect(many.at('t', 's', 'a', instant(5))).toEqual([])
  })
})

test('a set is compared as a set, backwards by normal form', () => {
  const question = { attribute: '^holder', gold_value: ['Straße', 'B'], evidence: [] as string[] } as unknown as SlotQuestion
  const facts = ['b', 'strasse'].map(subject => ({ subject, value: 'x', sources: [] }) as unknown as Fact)
  expect(judge(question, facts).exact).toBe(true)
  expect(judge(question, facts.slice(1)).exact).toBe(false)
})

describe('the command', () => {
  test('prints one JSON line a file and mode, of packed files too, and ends with 0', async () => {
    const packed = join(folder, 'packed.jsonl')
    await writeFile(packed, gzipSync(await readFile(path('single'))))
    const { code, stdout } = await evaluate('replay', packed, path('many'), '--modes', 'in-order,file')
    const printed = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
    expect(printed.map(line => [line['file'], line['mode'], line['exact']])).toEqual([
      ['packed.jsonl', 'in-order', 1],
      ['packed.jsonl', 'file', 1],
      ['many.jsonl', 'in-order', 1],
      ['many.jsonl', 'file', 1],
    ])
    expect(Object.keys(printed[0] ?? {})).toEqual(['file', 'mode', 'facts', 'questions', 'exact', 'provenance', 'ms'])
    expect(code).toBe(0)
  })

  test('a malformed line fails the run at its end', async () => {
    const { code, stdout, stderr } = await evaluate('replay', path('malformed'), '--modes', 'shuffle-1')
    expect(JSON.parse(stdout)).toMatchObject({ exact: 1 })
    expect(stderr).toMatch(/malformed\.jsonl:3: not JSON/)
    expect(code).toBe(1)
  })

  test('an answer that is not exact fails the run, and --misses lists it', async () => {
    const { code, stderr } = await evaluate('replay', path('wrong-gold'), '--modes', 'file', '--misses')
    expect(stderr).toContain('wrong-gold.jsonl file:5: miss wrong value')
    expect(code).toBe(1)
  })

  test('a cut archive fails', async () => {
    const cut = join(folder, 'cut.jsonl.gz')
    const whole = gzipSync(await readFile(path('single')))
    await writeFile(cut, whole.subarray(0, whole.length - 20))
    const { code, stderr } = await evaluate('replay', cut)
    expect(stderr).toContain('cannot be read')
    expect(code).toBe(1)
  })

  test('without the folder of real data the run says so and passes', async () => {
    const { code, stdout } = await evaluate('--ci')
    expect(stdout).toMatch(/^LEFT OUT: [^\n]*\n$/)
    expect(code).toBe(0)
  })

  test('what is not understood is answered with the usage', async () => {
    const { code, stderr } = await evaluate('replai')
    expect(stderr).toMatch(/unknown command: replai[^]*usage: npm run eval/)
    expect(code).toBe(2)
  })
})

async function run(name: string, mode: keyof typeof MODES, withoutQuestions = false) {
  return runPath(path(name), mode, withoutQuestions)
}

async function runPath(file: string, mode: keyof typeof MODES, withoutQuestions = false) {
  const notes: string[] = []
  const terminal: Terminal = { note: text => notes.push(text), progress: () => {} }
  const read = await readReplayFile(file, (line, reason) => notes.push(`${line}: ${reason}`))
  return { ...(await replay(file, withoutQuestions ? { ...read, questions: [] } : read, mode, terminal)), notes }
}

async function lines(name: string): Promise<string[]> {
  return (await readFile(path(name), 'utf8')).split('\n')
}

async function evaluate(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const root = new URL('../../', import.meta.url)
  const loader = pathToFileURL(createRequire(new URL('package.json', root)).resolve('tsx')).href
  const main = fileURLToPath(new URL('test/eval/main.ts', root))
  const env = { ...process.env, SHARED_DIR: join(folder, 'nothing here') }
  return new Promise(settle => {
    const child = execFile(process.execPath, ['--import', loader, main, ...args], { env }, (_error, stdout, stderr) => {
      settle({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}

function instant(date: number): string {
  return new Date(Date.UTC(2026, 0, date)).toISOString().replace('.000Z', 'Z')
}

function day(date: number): number {
  return Date.UTC(2026, 0, date) / 1000
}

function fact(id: string, value: string, from: number, to: number | null, supersedes: string | null = null): Fact {
  return { id, value, validFrom: instant(from), validTo: to === null ? null : instant(to), supersedes } as unknown as Fact
}

function told(op: FactEvent['op'], value: string | null, from: number, to?: number): FactEvent {
  const validTo = to === undefined ? {} : { valid_to: instant(to) }
  const source = { tenant: 't', subject: 's', attribute: 'a', episode: 'e', line: 1, saidMs: 0 }
  return { ...source, op, value, valid_from: instant(from), ...validTo }
}
