/** Lives at random, with checkpoints in between, on one and on several replicas: opening again shows the same. */
import { expect, test } from 'vitest'
import { MemoryStore, type Memory } from '../../src/index.ts'
import { open } from './open.ts'
import { everything, life } from './random-life.ts'
import { randomFrom } from '../../../../test/support/random.ts'

const intact = async (memory: Memory): Promise<void> => {
  expect(await memory.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await memory.query('select * from pragma_foreign_key_check')).toEqual([])
  const doubled =
    'select tenant_id, subject, attribute from memory_facts where valid_to is null group by 1, 2, 3 having count(*) > 1'
  expect(await memory.query(doubled)).toEqual([])
  expect((await memory.health()).quarantine).toEqual([])
}

test.each([1, 2, 3, 4, 5, 6])('seed %i: opening again gives the same state after any step', async seed => {
  const random = randomFrom(seed)
  const store = new MemoryStore()
  let memory = await open({ store })
  let mine = memory.tenant('acme', { actor: 'user' })
  let lived = life(mine, random, 'a')
  for (let step = 0; step < 150; step++) {
    await lived.step()
    if (random(9) === 0) await memory.checkpoint()
    if (random(25) === 0) {
      const before = await everything(mine)
      const { head } = await memory.health()
      // With and without closing first: a process may just end.
      if (random(2) === 0) await memory.close()
      memory = await open({ store })
      mine = memory.tenant('acme', { actor: 'user' })
      lived = life(mine, random, `a${step}`)
      expect((await memory.health()).head).toBe(head)
      expect(await everything(mine)).toEqual(before)
    }
  }
  await intact(memory)
  // The same records in an empty store, in reverse, are the same memory.
  const fresh = (await open()).tenant('acme', { actor: 'user' })
  await fresh.merge((await mine.records()).toReversed())
  expect(await everything(fresh)).toEqual(await everything(mine))
})

test.each([11, 12, 13])('seed %i: three replicas write and take checkpoints at once, and agree', async seed => {
  const store = new MemoryStore()
  const replicas = await Promise.all([0, 1, 2].map(() => open({ store })))
  await Promise.all(
    replicas.map(async (memory, index) => {
      const random = randomFrom(seed * 10 + index)
      const lived = life(memory.tenant('acme', { actor: 'user' }), random, `r${index}`)
      for (let step = 0; step < 80; step++) {
        await lived.step()
        if (random(6) === 0) await memory.checkpoint()
      }
    }),
  )
  // A write makes a replica catch up with whatever it has not heard of.
  for (const [index, memory] of replicas.entries())
    await memory.tenant('end').record({ id: `end${index}`, text: 'x', author: 'user' })
  const last = replicas.at(-1) as Memory
  const expected = await everything(last.tenant('acme'))
  const again = await open({ store })
  expect(await everything(again.tenant('acme'))).toEqual(expected)
  for (const memory of [...replicas, again]) await intact(memory)
  const [first] = replicas as [Memory]
  await first.tenant('end').record({ id: 'settled', text: 'x', author: 'user' })
  expect(await everything(first.tenant('acme'))).toEqual(expected)
})

test('two tabs: what one has written the other sees without opening again', async () => {
  const store = new MemoryStore()
  const [a, b] = await Promise.all([open({ store }), open({ store })])
  const heard = new Promise<void>(resolve => {
    b.on(event => void (event.type === 'changed' && !event.local && resolve()))
  })
  await a.tenant('acme').assert({ subject: 's', attribute: 'x', value: 'told' })
  await heard
  expect(await b.tenant('acme').get('s', 'x')).toMatchObject({ value: 'told' })
})

test('checkpoints leave a journal that holds only what is not folded in, and a bounded number of generations', async () => {
  const store = new MemoryStore()
  const memory = await open({ store })
  for (let i = 0; i < 200; i++) {
    await memory.tenant('t').assert({ subject: `s${i}`, attribute: 'x', value: 'y'.repeat(500) })
    if (i % 20 === 19) await memory.checkpoint()
  }
  const { head, floor, generation } = await memory.health()
  expect(floor).toBe(head)
  expect(generation).toBeGreaterThan(0)
  expect(store.generations.size).toBeLessThanOrEqual(2)
  expect(store.entries.size).toBeLessThanOrEqual(20)
  expect((await (await open({ store })).tenant('t').facts({ limit: 1000 })).facts).toHaveLength(200)
})
