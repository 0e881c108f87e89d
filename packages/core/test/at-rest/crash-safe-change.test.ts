/**
 * A change of keys whose process is killed, at every place where it could be: at the first call to what it stores in, at the
 * second, until there is none left to die at. Whoever opens the store next has everything, and brings the change to its end.
 */
import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { AtRest } from '../../src/at-rest/lock.ts'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { readIdentities, readKeyrings } from '../../src/mirror/read-mirror.ts'
import { openService } from '../../src/service.ts'
import { FULL, keepFigures } from '../../../../test/support/size.ts'

// The platform's own SHA-256 has the same results, and a keyring of 96 KiB is hashed thousands of times here.
vi.mock('@noble/hashes/sha2.js', async importOriginal => ({
  ...(await importOriginal<object>()),
  sha256: (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
}))
// What a passphrase costs is asserted in parameters.test.ts. Here it is derived thousands of times, and only has to differ.
vi.mock('hash-wasm', () => ({
  argon2id: ({ password, salt }: { readonly password: string; readonly salt: Uint8Array }) =>
    Promise.resolve(new Uint8Array(createHash('sha256').update(password).update(salt).digest())),
}))

/** Calls that leave nothing behind: what a process that died before one of them leaves is what it leaves at the next. */
const READS = /^(?:state|read|image|getMeta|readKeyring|damage|sizeBytes|list)$/u
/** The end of a process lets go of everything, and can do nothing else. */
const AT_ITS_END: ReadonlySet<string | symbol> = new Set(['close', 'announce', 'subscribe'])

/** A process that dies at its `at`-th call to what it stores in; of what it was appending to a file, half is there. */
class Mortal {
  readonly #at: number
  #isArmed = false
  /** So many could have been its last. */
  calls = 0
  isDead = false
  /** A log of the mirror ends with half an entry, which nobody was told of. */
  hasTornLog = false

  constructor(at: number) {
    this.#at = at
  }

  arm(): void {
    this.#isArmed = true
  }

  storingIn<T extends object>(inner: T, name = ''): T {
    return new Proxy(inner, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args)
        if (typeof key === 'symbol' || AT_ITS_END.has(key)) return call
        return async (...args: unknown[]) => {
          const wasDead = this.isDead
          this.isDead ||= this.#isArmed && (FULL || !READS.test(key)) && ++this.calls === this.#at
          if (!this.isDead)
            return key === 'create' ? this.storingIn((await call(...args)) as object, String(args[0])) : call(...args)
          const [bytes] = args
          if (!wasDead && bytes instanceof Uint8Array) {
            await call(bytes.subarray(0, bytes.length / 2))
            this.hasTornLog = name.startsWith('log-') && bytes.length > 0
          }
          throw new MemoryError('STORE_UNAVAILABLE', 'The process was killed', { reason: 'killed' })
        }
      },
    })
  }
}

/** What is on the disk. */
interface Disk {
  readonly store: MemoryStore
  /** Undefined: there is no place for a mirror. */
  readonly files: MemoryFiles | undefined
}

async function open({ store, files }: Disk, atRest: AtRest, process = new Mortal(Infinity)): Promise<Memory> {
  const service = await openService({
    journal: process.storingIn(new MemoryJournal(store)),
    ...(files && { mirror: process.storingIn(new MemoryPlace(files)), durability: 'mirrored' }),
    atRest,
  })
  return createClient(localTransport(service))
}

/** Facts, and which of them were acknowledged. */
class Facts {
  readonly acknowledged: string[] = []

  /** Refused, it may be there or not. What the dead say, nobody hears. */
  async say(memory: Memory, attribute: string, process?: Mortal): Promise<void> {
    const saying = memory.tenant('home', { actor: 'user' }).assert({ subject: 'me', attribute, value: attribute })
    await saying.then(
      () => process?.isDead !== true && this.acknowledged.push(attribute),
      () => undefined,
    )
  }

  async expectIn(memory: Memory): Promise<void> {
    const { facts } = await memory.tenant('home').facts({ limit: 1000 })
    const there = new Set(facts.map(({ attribute }) => attribute))
    expect(
      this.acknowledged.filter(attribute => !there.has(attribute)),
      'acknowledged, and lost',
    ).toEqual([])
    expect((await memory.health()).quarantine).toEqual([])
  }
}

/** A new store makes its keyring as the first; one of a higher number is locked as the change wants it. */
async function isLockedAnew({ store, files }: Disk): Promise<boolean> {
  const place = new MemoryPlace(files)
  const [identity] = await readIdentities(place)
  const copies = await readKeyrings(place, identity?.storeId ?? '')
  return Math.max(store.keyring?.revision ?? 0, ...copies.map(({ revision }) => revision)) > 1
}

interface Case {
  readonly from: AtRest
  /** Undefined: the lock stays. */
  readonly to: AtRest | undefined
  /** The mirror, and what comes after the death. */
  readonly place: 'no mirror' | 'a mirror' | 'a mirror alone is left'
  /** Another replica is open meanwhile, and writes. */
  readonly isBeside: boolean
}

/** @returns the process that changed the keys: alive where there was no such call to die at */
async function changeAndDie({ from, to = from, place, isBeside }: Case, at: number): Promise<Mortal> {
  const disk: Disk = { store: new MemoryStore(), files: place === 'no mirror' ? undefined : new MemoryFiles() }
  const [process, facts] = [new Mortal(at), new Facts()]
  const one = await open(disk, from, process)
  const two = isBeside ? await open(disk, from) : undefined
  await facts.say(one, 'folded into a base')
  await one.checkpoint()
  await facts.say(one, 'before')
  if (two !== undefined) await facts.say(two, 'before, by the other')

  process.arm()
  const changing = one.rekey(to === from ? undefined : to).then(
    () => !process.isDead,
    () => false,
  )
  await Promise.all([facts.say(one, 'meanwhile', process), two && facts.say(two, 'meanwhile, by the other')])
  const isAcknowledged = await changing
  if (two !== undefined) await facts.say(two, 'afterwards, by the other')
  await one.close().catch(() => undefined)

  const isWiped = place === 'a mirror alone is left'
  // Nobody wipes what is open.
  if (isWiped) await two?.close()
  const found = isWiped ? { store: new MemoryStore(), files: disk.files } : disk
  const isNew = await isLockedAnew(found)
  if (isAcknowledged) expect(isNew).toBe(true)
  const [lock, other] = isNew ? [to, from] : [from, to]
  if (isSecret(from) !== isSecret(to) || (isSecret(to) && to !== from))
    await expect(open(found, other)).rejects.toMatchObject({ code: isSecret(other) ? 'KEY_WRONG' : 'KEY_NEEDED' })
  const next = await open(found, lock)
  await facts.expectIn(next)
  const { restored } = await next.health()
  // What the log of another replica counts as damaged is the affair of the last tests here.
  if (isWiped && !isBeside) expect(restored).toMatchObject({ wasEmpty: true, damaged: process.hasTornLog ? 1 : 0 })
  if (!isWiped) expect(restored).toBeUndefined()
  await expect.poll(async () => (await next.health()).atRest, { interval: 1 }).toEqual({ kind: lock.kind, isChanging: false })
  await facts.say(next, 'by the next')
  if (isBeside && !isWiped && two !== undefined) await facts.say(two, 'by the other, at last')
  expect(facts.acknowledged).toContain('by the next')
  await next.close()
  await two?.close()

  const last = await open(found, lock)
  await facts.expectIn(last)
  expect(keysIn(found.store).size, 'everything is under one key').toBe(1)
  await last.close()
  return process
}

function isSecret({ kind }: AtRest): boolean {
  return kind === 'passphrase' || kind === 'key'
}

/** The ids of the keys under which something stands in the journal: the number in the head of every blob. */
function keysIn({ entries, generations }: MemoryStore): Set<number> {
  const images = [...generations.values()].flatMap(({ segments, deltas }) => [...segments, ...deltas])
  return new Set([...entries.values(), ...images].map(bytes => new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true)))
}

const DEVICE: AtRest = { kind: 'device' }
const OFF: AtRest = { kind: 'off' }
const PHRASE: AtRest = { kind: 'passphrase', passphrase: 'correct horse' }
const OTHER_PHRASE: AtRest = { kind: 'passphrase', passphrase: 'battery staple' }

const CHANGES: readonly (readonly [what: string, from: AtRest, to?: AtRest])[] = [
  ['another key under the same lock', DEVICE],
  ['encryption is turned on', OFF, DEVICE],
  ['encryption is turned off', DEVICE, OFF],
  ['a passphrase is set', DEVICE, PHRASE],
  ['a passphrase is changed', PHRASE, OTHER_PHRASE],
  ['a passphrase is taken away', PHRASE, DEVICE],
]
/** In the small size no case dies at the same calls as another, and all of them together at every call, alone or beside another. */
const STEP = FULL ? 1 : 2 * CHANGES.length

let deaths = 0
keepFigures('change-of-keys', () => ({ deaths }))

describe.each(CHANGES.map(([what, from, to], i) => [what, { from, to, i }] as const))('%s', (_what, { from, to, i }) => {
  for (const place of ['no mirror', 'a mirror', 'a mirror alone is left'] as const)
    for (const isBeside of [false, true])
      test(`${place}${isBeside ? ', beside another replica' : ''}: killed anywhere, nothing is lost, and the change ends`, async () => {
        let at = 1 + ((2 * i + (isBeside ? 1 : 0)) % STEP)
        let process = await changeAndDie({ from, to, place, isBeside }, at)
        for (; process.isDead; deaths++) process = await changeAndDie({ from, to, place, isBeside }, (at += STEP))
        expect(process.calls).toBeGreaterThan(5)
      })
})

describe('what other replicas make of a change that has ended', () => {
  test('entries in their logs under a key that is gone, which a base covers, are not damage', async () => {
    const [store, files] = [new MemoryStore(), new MemoryFiles()]
    const [one, two, facts] = [await open({ store, files }, DEVICE), await open({ store, files }, DEVICE), new Facts()]
    await facts.say(one, 'by one')
    await facts.say(two, 'by the other')
    await one.rekey()
    await one.close()
    await two.close()
    const next = await open({ store: new MemoryStore(), files }, DEVICE)
    await facts.expectIn(next)
    expect((await next.health()).restored).toMatchObject({ wasEmpty: true, damaged: 0 })
  })

  test('they say that it is over once they have written', async () => {
    const disk = { store: new MemoryStore(), files: undefined }
    const [one, two, facts] = [await open(disk, DEVICE), await open(disk, DEVICE), new Facts()]
    await one.rekey()
    await facts.say(two, 'afterwards')
    expect(facts.acknowledged).toEqual(['afterwards'])
    expect((await two.health()).atRest).toEqual({ kind: 'device', isChanging: false })
  })
})
