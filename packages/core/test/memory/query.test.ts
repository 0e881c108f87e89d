/** `memory.query`: the published reads, and that it reads only. */
import { expect, test } from 'vitest'
import type { Memory } from '../../src/index.ts'
import { E0, E1, E2, open, refusal, tell } from './open.ts'

async function told(): Promise<Memory> {
  const memory = await open()
  const mine = memory.tenant('acme', { actor: 'user' })
  await tell(mine, E1)
  await tell(mine, E2)
  return memory
}

/** Everything that a write through the side door could have changed. */
async function imageOf(memory: Memory): Promise<unknown> {
  const names = await memory.query("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by 1")
  const counts = []
  for (const { name } of names) counts.push(await memory.query(`select '${name}' as name, count(*) as n from "${name}"`))
  return [
    counts,
    await memory.query('select * from sqlite_schema order by name'),
    await memory.query('select * from pragma_user_version'),
    // SQLite opens its own empty temp database for some of its checks.
    await memory.query("select * from pragma_database_list where name <> 'temp'"),
    await memory.query('select * from pragma_secure_delete'),
    await memory.query('select * from pragma_foreign_keys'),
    await memory.tenant('acme').records(),
    await memory.tenant('acme').facts({ history: true }),
  ]
}

const INSERT = "insert into state (name, value) values ('x', 'y')"

const writes = [
  INSERT,
  `  \n${INSERT};`,
  `/* a comment */ ${INSERT}`,
  `-- select\n${INSERT}`,
  `with x as (select 1) ${INSERT}`,
  "with x(a) as (select 'x') insert into state (name, value) select a, a from x",
  "with x as (select 1) insert into state (name, value) values ('x', 'y') returning name",
  "with x as (select 1) update state set value = 'z' returning *",
  'with x as (select 1) delete from fact returning *',
  "with x as (select 1) replace into state (name, value) values ('x', 'y')",
  'with x as (insert into state (name, value) values (1, 2) returning name) select * from x',
  "update state set value = 'z'",
  "update state set value = 'z' returning *",
  'delete from fact',
  'delete from fact returning *',
  'replace into state (name, value) values (1, 2)',
  'drop view memory_facts',
  'create table x (a)',
  'create temp table x (a)',
  'alter table state rename to states',
  'reindex',
  'analyze',
  'vacuum',
  "vacuum into 'file.db'",
  "attach ':memory:' as other",
  'detach main',
  'pragma query_only = off',
  'pragma query_only(0)',
  'pragma user_version = 5',
  'pragma main.user_version = 5',
  'pragma secure_delete = off',
  'pragma writable_schema = on',
  'pragma foreign_keys = on',
  'pragma optimize',
  'PRAGMA\nquery_only\n=\noff',
  '/**/pragma query_only = off',
  'begin',
  'commit',
  'rollback',
  'savepoint x',
  'explain insert into state values (1, 2)',
  'explain query plan insert into state values (1, 2)',
  'explain pragma query_only = off',
  'select 1; select 2',
  `select 1; ${INSERT}`,
  'select 1; pragma query_only = off',
  `select 1 /* ; */; ${INSERT}`,
  `select ';' as "a;b"; ${INSERT}`,
  `select 1 -- ;\n; ${INSERT}`,
  `select 1 as [a;b]; ${INSERT}`,
  ';',
  '',
  ' ',
  '-- nothing',
  '/* nothing',
  'selectx 1',
] as const

test.each(writes)('refused: %s', async sql => {
  const memory = await told()
  const before = await imageOf(memory)
  expect(await refusal(memory.query(sql))).toMatchObject({
    code: expect.stringMatching(/^(?:NOT_READ_ONLY|QUERY_FAILED)$/u) as string,
  })
  // Reading goes on, writing is still refused here, and writing by the handle still works.
  expect(await refusal(memory.query(`with x as (select 1) ${INSERT}`))).toMatchObject({ code: 'NOT_READ_ONLY' })
  expect(await imageOf(memory)).toEqual(before)
  await memory.tenant('acme').assert({ subject: 'later', attribute: 'x', value: 1 })
  expect(await memory.tenant('acme').get('later', 'x')).toMatchObject({ value: 1 })
  await memory.checkpoint()
})

test.each([
  'select * from pragma_optimize',
  'select * from pragma_query_only',
  "select * from pragma_user_version('5')",
  "select * from pragma_secure_delete('off')",
  "select * from pragma_query_only('off')",
  'select * from pragma_wal_checkpoint',
  'select * from pragma_incremental_vacuum(1)',
  "select * from pragma_integrity_check('fact')",
  "select load_extension('x')",
  "select writefile('x', 'y')",
  "select * from fts3_tokenizer('x')",
])('answered or refused, but never a write: %s', async sql => {
  const memory = await told()
  const before = await imageOf(memory)
  await memory.query(sql).catch((error: unknown) => {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(?:NOT_READ_ONLY|QUERY_FAILED)$/u) as string })
  })
  expect(await imageOf(memory)).toEqual(before)
  await memory.tenant('acme').assert({ subject: 'later', attribute: 'x', value: 1 })
  await memory.checkpoint()
})

test('what reads is answered, whatever its comments, quotes and letters', async () => {
  const memory = await told()
  for (const [sql, rows] of [
    ['select 1 as n', [{ n: 1 }]],
    ['SELECT 1 as n ;', [{ n: 1 }]],
    ['/* first */ -- then\n select 1 as n -- and so on', [{ n: 1 }]],
    ["select ';' as n", [{ n: ';' }]],
    ['select 1 as ";"', [{ ';': 1 }]],
    ["select 'insert; -- delete' as n", [{ n: 'insert; -- delete' }]],
    ["select 'it''s' as n", [{ n: "it's" }]],
    ['select /* ; */ 1 as n', [{ n: 1 }]],
    ["values ('a')", [{ column1: 'a' }]],
    ['with x(n) as (values (1), (2)) select n from x', [{ n: 1 }, { n: 2 }]],
    ['select null as n, 1.5 as m', [{ n: null, m: 1.5 }]],
    ['select 1 as n where 0', []],
  ] as const)
    expect(await memory.query(sql), sql).toEqual(rows)
  expect(await memory.query('explain query plan select * from fact')).not.toEqual([])
})

test('parameters are values, never text of the statement', async () => {
  const memory = await told()
  const sql = 'select ? as a, ? as b, ? as c'
  expect(await memory.query(sql, ["'; drop table fact", 1.5, null])).toEqual([{ a: "'; drop table fact", b: 1.5, c: null }])
  for (const params of [[undefined], [{}], [1n], 'x', [true]])
    expect(await refusal(memory.query('select ?', params as never))).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await refusal(memory.query(5 as never))).toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test('what SQLite does not understand is QUERY_FAILED with its reason', async () => {
  const memory = await told()
  for (const sql of ['select from', 'select * from nowhere', 'select nothing from fact', "select 'open"])
    expect(await refusal(memory.query(sql))).toMatchObject({
      code: 'QUERY_FAILED',
      details: { reason: expect.any(String) as string },
    })
})

const PUBLISHED = `select memory_id, value, source_episode_id, supersedes_memory_id from memory_facts
  where tenant_id = ?1 and subject = ?2 and attribute = ?3 and valid_from <= ?4 and (valid_to is null or valid_to > ?4) limit 1`

test('the published reads: current and at a point in time', async () => {
  const memory = await told()
  const mine = memory.tenant('acme', { actor: 'user' })
  const [second, first] = [
    (await mine.get('mira', 'passport_deadline', { at: '2026-06-04' }))?.id,
    (await mine.get('mira', 'passport_deadline', { at: '2026-06-02' }))?.id,
  ]
  const late = await tell(mine, E0)
  const read = (t: string): Promise<unknown> => memory.query(PUBLISHED, ['acme', 'mira', 'passport_deadline', t])
  expect(await read('2026-06-04T00:00:00Z')).toEqual([
    { memory_id: second, value: '2026-06-30', source_episode_id: 'e2', supersedes_memory_id: first },
  ])
  expect(await read('2026-06-03T10:00:00Z')).toMatchObject([{ memory_id: second }])
  expect(await read('2026-06-03T09:59:59Z')).toMatchObject([{ memory_id: first }])
  expect(await read('2026-06-02T00:00:00Z')).toEqual([
    { memory_id: first, value: '2026-07-15', source_episode_id: 'e1', supersedes_memory_id: late },
  ])
  expect(await read('2026-05-31T00:00:00Z')).toEqual([
    { memory_id: late, value: '2026-08-01', source_episode_id: 'e0', supersedes_memory_id: null },
  ])
  expect(await read('2026-05-30T07:59:59Z')).toEqual([])
})

test('memory_facts has the published columns, in their order and formats', async () => {
  const memory = await told()
  const mine = memory.tenant('acme', { actor: 'user' })
  await mine.record({ id: 'e9', text: 'Oslo', author: 'user', at: '2026-01-01T00:00:00.900Z' })
  const { id } = await mine.assert({
    subject: 'Mira',
    attribute: 'City',
    value: 'Oslo',
    from: 'e9',
    validUntil: '2026-02-01',
    confidence: 0.25,
    retention: 'short',
  })
  const [row] = await memory.query("select * from memory_facts where attribute = 'city'")
  expect(row).toEqual({
    memory_id: id,
    tenant_id: 'acme',
    subject: 'mira',
    attribute: 'city',
    value: 'Oslo',
    memory_type: 'fact',
    schema_version: 1,
    valid_from: '2026-01-01T00:00:00Z',
    valid_to: '2026-02-01T00:00:00Z',
    supersedes_memory_id: null,
    source_episode_id: 'e9',
    confidence: 0.25,
    retention_policy: 'short',
  })
  const columns = await memory.query("select name from pragma_table_info('memory_facts') order by cid")
  expect(columns.map(column => column['name'])).toEqual(Object.keys(row ?? {}))
  const [bare] = await memory.query('select confidence, retention_policy, valid_to from memory_facts where valid_to is null')
  expect(bare).toEqual({ confidence: null, retention_policy: null, valid_to: null })
})

test('strings as they are, other values as JSON', async () => {
  const memory = await open()
  const mine = memory.tenant('acme')
  const values = [
    ['Oslo', 'Oslo'],
    ['', ''],
    ['"quoted"', '"quoted"'],
    ['null', 'null'],
    ['back\\slash\n', 'back\\slash\n'],
    ['李雷 😀', '李雷 😀'],
    ['a\u0000b', 'a\u0000b'],
    [0, '0'],
    [-1.5, '-1.5'],
    [1.5e-7, '1.5e-7'],
    [true, 'true'],
    [false, 'false'],
    [null, 'null'],
    [[], '[]'],
    [['a', 1], '["a",1]'],
    [{ b: 1, a: 'x' }, '{"a":"x","b":1}'],
  ] as const
  for (const [index, [value]] of values.entries()) await mine.assert({ subject: 's', attribute: `a${index}`, value })
  for (const [index, [value, text]] of values.entries())
    expect(
      await memory.query('select value from memory_facts where attribute = ?', [`a${index}`]),
      JSON.stringify(value),
    ).toEqual([{ value: text }])
})

test('a fact that resumes has its own memory_id and supersedes; a fact without a source has none', async () => {
  const memory = await open()
  const mine = memory.tenant('acme')
  const oslo = await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01' })
  const paris = await mine.assert({
    subject: 'm',
    attribute: 'city',
    value: 'Paris',
    validFrom: '2026-02-01',
    validUntil: '2026-03-01',
  })
  const resumed = `${oslo.id}@2026-03-01T00:00:00Z`
  expect(
    await memory.query('select memory_id, supersedes_memory_id, source_episode_id from memory_facts order by valid_from'),
  ).toEqual([
    { memory_id: oslo.id, supersedes_memory_id: null, source_episode_id: null },
    { memory_id: paris.id, supersedes_memory_id: oslo.id, source_episode_id: null },
    { memory_id: resumed, supersedes_memory_id: paris.id, source_episode_id: null },
  ])
  const { facts } = await mine.facts({ history: true })
  expect(facts.map(fact => [fact.id, fact.supersedes])).toEqual([
    [oslo.id, null],
    [paris.id, oslo.id],
    [resumed, paris.id],
  ])
})

test('nothing is superseded across a gap', async () => {
  const memory = await open()
  const mine = memory.tenant('acme')
  await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01', validUntil: '2026-02-01' })
  await mine.assert({ subject: 'm', attribute: 'city', value: 'Paris', validFrom: '2026-03-01' })
  expect(await memory.query('select supersedes_memory_id as s from memory_facts')).toEqual([{ s: null }, { s: null }])
})
