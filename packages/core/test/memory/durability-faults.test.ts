/** A journal that fails: what was acknowledged is there exactly once, what failed is not there at all, and the memory goes on. */
import { describe, expect, test } from 'vitest'
import { MemoryError, MemoryStore, type Memory } from '../../src/index.ts'
import { FailingJournal, openOn, type Fault, type Method } from './failing-journal.ts'
import { open, refusal } from './open.ts'
import { everything } from './random-life.ts'
import { randomFrom } from '../../../../test/support/random.ts'

const counts = async (memory: Memory): Promise<Record<string, number>> => {
  const rows = await memory.query(
    "select subject, count(*) as n from slot s join assertion a on a.slot = s.nr where attribute = 'x' group by 1",
  )
  return Object.fromEntries(rows.map(row => [String(row['subject']), Number(row['n'])]))
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i: two replicas with faults of every kind', async seed => {
  const store = new MemoryStore()
  const acknowledged: string[] = []
  const failed: string[] = []
  const journals = [new FailingJournal(store), new FailingJournal(store)]
  const replicas = await Promise.all(journals.map(journal => openOn(journal)))
  for (const [index, journal] of journals.entries()) {
    const random = randomFrom(seed * 100 + index)
    // Only appends lose their answer; a read that fails makes an outcome unknown, which is a test of its own below.
    journal.fault = method =>
      method === 'append' ? ([undefined, undefined, 'before', 'after', 'collision'] as const)[random(5)] : undefined
  }
  await Promise.all(
    replicas.map(async (memory, index) => {
      const random = randomFrom(seed * 1000 + index)
      const mine = memory.tenant('acme')
      for (let round = 0; round < 25; round++) {
        const names = Array.from({ length: 1 + random(4) }, (_, i) => `r${index}-${round}-${i}`)
        const results = await Promise.allSettled(names.map(subject => mine.assert({ subject, attribute: 'x', value: subject })))
        for (const [i, result] of results.entries()) {
          if (result.status === 'fulfilled') acknowledged.push(names[i] as string)
          else {
            expect(result.reason).toMatchObject({ code: 'NOT_STORED', retryable: true })
            failed.push(names[i] as string)
          }
        }
        if (random(5) === 0) await memory.checkpoint()
      }
    }),
  )
  for (const journal of journals) journal.fault = () => undefined
  for (const memory of replicas) await memory.tenant('acme').record({ text: 'catches up', author: 'user' })
  const expected = Object.fromEntries(acknowledged.toSorted().map(name => [name, 1]))
  const again = await open({ store })
  expect(failed.length).toBeGreaterThan(0)
  expect(await counts(again)).toEqual(expected)
  expect(await counts(replicas[1] as Memory)).toEqual(expected)
  expect(await everything(again.tenant('acme'))).toEqual(await everything((replicas[1] as Memory).tenant('acme')))
  expect((await again.health()).quarantine).toEqual([])
  expect(await again.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

describe.each(['before', 'after', 'collision'] as const)('an append that fails: %s', fault => {
  const writes: Readonly<Record<string, (memory: Memory) => Promise<unknown>>> = {
    record: memory => memory.tenant('t').record({ id: 'new', text: 'x', author: 'user' }),
    assert: memory => memory.tenant('t').assert({ id: 'new', subject: 'n', attribute: 'x', value: 1 }),
    retract: memory => memory.tenant('t').retract({ subject: 's', attribute: 'x', validFrom: '2030-01-01' }),
    batch: memory => memory.tenant('t').batch(batch => void batch.record({ id: 'new', text: 'x', author: 'user' })),
    confirm: memory => memory.tenant('t').confirm('a'),
    reject: memory => memory.tenant('t').reject('a'),
    correct: memory => memory.tenant('t').correct('a', { value: 2 }),
    forget: async memory => (await memory.tenant('t').forget({ fact: 'a' })).apply(),
    merge: async memory => memory.tenant('u').merge(await memory.tenant('t').records()),
  }
  test.each(Object.entries(writes))('%s is done once or not at all, and the call says which', async (_, write) => {
    const store = new MemoryStore()
    const journal = new FailingJournal(store)
    const memory = await openOn(journal)
    await memory.tenant('t').assert({ id: 'a', subject: 's', attribute: 'x', value: 1, validFrom: '2026-01-01' })
    const state = async (each: Memory): Promise<unknown> => [
      await everything(each.tenant('t')),
      await everything(each.tenant('u')),
    ]
    const before = await state(memory)
    const faults: (Fault | undefined)[] = fault === 'collision' ? Array.from({ length: 40 }, () => fault) : [fault]
    journal.fault = method => (method === 'append' ? faults.shift() : undefined)
    if (fault === 'before') {
      expect(await refusal(write(memory))).toMatchObject({ code: 'NOT_STORED', retryable: true, details: { reason: 'quota' } })
      expect(await state(memory)).toEqual(before)
      expect(store.head).toBe(1)
    }
    await write(memory)
    expect(faults).toEqual([])
    expect(store.head).toBe(2)
    expect(await state(memory)).not.toEqual(before)
    expect(await state(await open({ store }))).toEqual(await state(memory))
  })
})

test('where the answer is lost and the journal cannot be asked, the call does not claim that nothing was stored', async () => {
  const store = new MemoryStore()
  const journal = new FailingJournal(store)
  const memory = await openOn(journal)
  const mine = memory.tenant('acme')
  await mine.record({ text: 'first', author: 'user' })
  let appended = false
  let reads = 1
  journal.fault = method => {
    if (method === 'append' && !appended) {
      appended = true
      return 'after'
    }
    return appended && (method === 'state' || method === 'read') && reads-- > 0 ? 'before' : undefined
  }
  const input = { subject: 's', attribute: 'x', value: 1 } as const
  const outcome = await mine.assert(input, { key: 'k' }).then(
    () => 'done',
    (error: unknown) => error as MemoryError,
  )
  if (outcome !== 'done') {
    expect((outcome as MemoryError).retryable).toBe(true)
    const honest = (outcome as MemoryError).code !== 'NOT_STORED' || (outcome as MemoryError).details['outcome'] === 'unknown'
    expect(honest, `it said ${(outcome as MemoryError).code}, and the entry is stored`).toBe(true)
  }
  // Repeated with the same key it is done once.
  await mine.assert(input, { key: 'k' })
  expect(await counts(memory)).toEqual({ s: 1 })
  expect(await counts(await open({ store }))).toEqual({ s: 1 })
})

test('an endless storm of collisions ends in a typed error, and the memory goes on afterwards', async () => {
  const journal = new FailingJournal(new MemoryStore())
  const memory = await openOn(journal)
  journal.fault = method => (method === 'append' ? 'collision' : undefined)
  const error = await refusal(memory.tenant('t').assert({ subject: 's', attribute: 'x', value: 1 }))
  expect(error).toMatchObject({ code: 'NOT_STORED', retryable: true })
  journal.fault = () => undefined
  await memory.tenant('t').assert({ subject: 's', attribute: 'x', value: 2 })
  expect(await counts(memory)).toEqual({ s: 1 })
})

describe.each(['saveDelta', 'saveBase', 'dropBefore', 'image', 'state', 'read'] as const)(
  'a checkpoint in which %s fails',
  method => {
    test.each(['before', 'after'] as const)(
      '%s its work: nothing is lost, writing goes on, the next checkpoint is taken',
      async fault => {
        const store = new MemoryStore()
        const journal = new FailingJournal(store)
        const memory = await openOn(journal)
        const mine = memory.tenant('t')
        let written = 0
        const write = async (): Promise<void> => {
          await mine.assert({ subject: `s${written++}`, attribute: 'x', value: 'y'.repeat(3000) })
        }
        for (let i = 0; i < 40; i++) await write()
        for (let round = 0; round < 3; round++) {
          let left = 1
          journal.fault = (called: Method) => (called === method && left-- > 0 ? fault : undefined)
          for (let i = 0; i < 5; i++) {
            await write()
            await memory.checkpoint().catch((error: unknown) => expect(MemoryError.is(error)).toBe(true))
          }
          journal.fault = () => undefined
          await write()
          const again = await open({ store })
          expect((await again.health()).quarantine).toEqual([])
          expect(Object.keys(await counts(again))).toHaveLength(written)
          expect(Object.keys(await counts(memory))).toHaveLength(written)
        }
        await memory.checkpoint()
        const { head, floor } = await memory.health()
        expect(floor).toBe(head)
        expect(Object.keys(await counts(await open({ store })))).toHaveLength(written)
      },
    )
  },
)
