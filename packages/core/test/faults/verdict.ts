/** What must hold of a store after a life under a fault. */
import { expect } from 'vitest'
import type { Memory } from '../../src/index.ts'
import { everything } from '../memory/random-life.ts'
import type { FaultInjector } from './faulty-journal.ts'
import { journalOf, LoggedStore } from './logged-store.ts'
import { instant, Model } from './model.ts'
import { openReplica, settled, type Replica } from './replica.ts'
import { factLines, storedLines } from './report.ts'
import { visible, withoutDurable, type Lived, type Told } from './under-fault.ts'

/** Opens again without faults and compares with the model, then lets what is late land and compares again. */
export async function judge(lived: Lived, injector: FaultInjector): Promise<void> {
  injector.disarm()
  const again = await openReplica(lived.store)
  let stored = await expectModel(again, lived.told)
  await expectIntact(again.memory)
  if (injector.isLate) {
    await injector.land()
    await again.service.refresh()
    stored = await expectModel(again, lived.told)
    await expectIntact(again.memory)
  }
  for (const [i, replica] of lived.replicas.entries()) await expectDurable(replica, `replica ${i}`, stored, lived.told)
  await expectReplay(again, lived.store)
  await again.memory.close()
}

/** Which writes are there is read off their signs; all else has to follow from that. */
async function expectModel(replica: Replica, told: readonly Told[]): Promise<readonly string[]> {
  const lines = storedLines(await replica.mine.records())
  const there = told.filter(({ write }) => write.signs.some(sign => lines.includes(sign)))
  const missing = told.filter(each => each.answer.told === 'acknowledged' && !there.includes(each))
  const unasked = told.filter(each => each.answer.told === 'refused' && there.includes(each))
  expect(namesOf(missing), 'acknowledged, and lost').toEqual([])
  expect(namesOf(unasked), 'refused, and stored').toEqual([])
  const model = new Model()
  for (const { write } of there) write.apply(model)
  // Each line once: what is there twice was done twice, and half a batch lacks a line.
  expect(lines, 'what is stored').toEqual(model.stored())
  expect(await factLines(replica.mine), 'facts').toEqual(model.facts())
  for (const { subject, attribute } of model.said.slice(0, 3)) {
    for (const hour of [7, 50]) {
      const fact = await replica.mine.get(subject, attribute, { at: instant(hour) })
      expect(fact?.value, `${subject}.${attribute} at hour ${hour}`).toBe(model.valueAt(subject, attribute, hour))
    }
  }
  return lines
}

function namesOf(told: readonly Told[]): string[] {
  return told.map(({ write, answer }) => `${write.name}: ${answer.told}`)
}

export async function expectIntact(memory: Memory): Promise<void> {
  expect(await memory.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await memory.query('select * from pragma_foreign_key_check')).toEqual([])
  expect((await memory.health()).quarantine).toEqual([])
}

/** The memory that has lived through it shows nothing that is not durable; where it can read, it shows all that is. */
async function expectDurable(replica: Replica, what: string, stored: readonly string[], told: readonly Told[]): Promise<void> {
  const isUpToDate = await settled(replica.service.refresh(), 'refresh').then(
    () => true,
    () => false,
  )
  const shown = await visible(replica)
  if (isUpToDate) expect(shown, what).toEqual(stored)
  else expect(withoutDurable(shown, stored, told), `${what}: shown, and not durable`).toEqual([])
}

/** A new store that is given the same entries in their order tells the same. */
async function expectReplay(replica: Replica, store: LoggedStore): Promise<void> {
  const copy = new LoggedStore(store.keeps)
  const [from, to] = [journalOf(store), journalOf(copy)]
  for (const key of ['storeId', 'deviceId'] as const) await to.initMeta(key, (await from.getMeta(key)) ?? '')
  const keyring = await from.readKeyring()
  for (let revision = 1; revision <= (keyring?.revision ?? 0); revision++)
    expect(await to.writeKeyring({ bytes: new Uint8Array(0), ...keyring, revision })).toBe(true)
  for (const entry of store.log) expect(await to.append([entry])).toBe('appended')
  const replayed = await openReplica(copy)
  expect(await everything(replayed.mine)).toEqual(await everything(replica.mine))
  await replayed.memory.close()
}
