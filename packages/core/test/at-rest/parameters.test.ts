/**
 * The numbers of encryption at rest, read from what a store keeps and not from the code that names them: a keyring as its
 * format says (`keyring.ts`), opened with the platform's own AES-256-GCM and an Argon2id that is told nothing but these numbers.
 */
import { createDecipheriv, createHash } from 'node:crypto'
import { argon2id } from 'hash-wasm'
import { describe, expect, test } from 'vitest'
import type { AtRest } from '../../src/at-rest/lock.ts'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { readKeyrings } from '../../src/mirror/read-mirror.ts'
import { openService } from '../../src/service.ts'

const DEVICE: AtRest = { kind: 'device' }
const PHRASE: AtRest = { kind: 'passphrase', passphrase: 'correct horse' }
const KEY: AtRest = { kind: 'key', key: new Uint8Array(32).fill(1) }

const HEAD_BYTES = 12
const SUM_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

async function open(store: MemoryStore, atRest: AtRest, files = new MemoryFiles()): Promise<Memory> {
  const service = await openService({ journal: new MemoryJournal(store), mirror: new MemoryPlace(files), atRest })
  return createClient(localTransport(service))
}

interface Kept {
  readonly storeId: string
  readonly lock: Readonly<Record<string, unknown>>
  /** Hex of the sealed list. */
  readonly keys: string
}

function keyringOf({ keyring }: MemoryStore): Buffer {
  return Buffer.from(keyring?.bytes ?? new Uint8Array(0))
}

function jsonOf(keyring: Buffer): Kept {
  return JSON.parse(keyring.toString('utf8', HEAD_BYTES, HEAD_BYTES + keyring.readUInt32LE(8))) as Kept
}

/** What AES-256-GCM makes of nonce, ciphertext and tag. @throws where key or place are not those that it was sealed with */
function decrypt(sealed: Uint8Array, key: Uint8Array, boundTo: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

describe('a lock by a passphrase', () => {
  test('is Argon2id over 64 MiB in three passes, with 16 bytes of salt: these alone make the key that opens the list', async () => {
    const store = new MemoryStore()
    await open(store, PHRASE)
    const { storeId, lock, keys } = jsonOf(keyringOf(store))
    expect(lock).toEqual({ kind: 'passphrase', salt: expect.stringMatching(/^[0-9a-f]{32}$/), memoryKiB: 65_536, passes: 3 })
    const numbers = { parallelism: 1, iterations: 3, memorySize: 65_536, hashLength: 32, outputType: 'binary' } as const
    const key = await argon2id({ password: 'correct horse', salt: Buffer.from(String(lock['salt']), 'hex'), ...numbers })
    const list: unknown = JSON.parse(decrypt(Buffer.from(keys, 'hex'), key, `palimpsest keyring v1 ${storeId}`).toString())
    expect(list).toEqual([{ id: 1, key: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  test('is the same where the passphrase comes later, and has another salt each time that it is set', async () => {
    const store = new MemoryStore()
    const memory = await open(store, DEVICE)
    const salts = new Set<unknown>()
    for (let i = 0; i < 3; i++) {
      await memory.rekey(PHRASE)
      const { lock } = jsonOf(keyringOf(store))
      expect(lock).toMatchObject({ memoryKiB: 65_536, passes: 3 })
      salts.add(lock['salt'])
    }
    expect(salts.size).toBe(3)
  })
})

describe('a keyring', () => {
  test.each([DEVICE, PHRASE, KEY])(
    'of kind $kind is one value of more than 64 KiB of chance, here and in the mirror',
    async atRest => {
      const [store, files] = [new MemoryStore(), new MemoryFiles()]
      const memory = await open(store, atRest, files)
      const first = secretOf(keyringOf(store))
      expect(first.length).toBeGreaterThan(65_536)
      // Of bytes that are as likely as each other no compression leaves less.
      expect(new Set(first).size).toBe(256)
      await memory.rekey()
      const keyring = keyringOf(store)
      expect(secretOf(keyring).equals(first), 'another one with every change').toBe(false)
      await memory.close()
      const copies = await readKeyrings(new MemoryPlace(files), jsonOf(keyring).storeId)
      expect(copies.map(({ bytes }) => keyring.equals(bytes))).toEqual([true])
    },
  )

  test('locked by the device opens with the SHA-256 of all of its secret', async () => {
    const store = new MemoryStore()
    await open(store, DEVICE)
    const { storeId, keys } = jsonOf(keyringOf(store))
    const secret = secretOf(keyringOf(store))
    const list = (of: Buffer): Buffer => decrypt(Buffer.from(keys, 'hex'), deviceKey(of), `palimpsest keyring v1 ${storeId}`)
    expect(JSON.parse(list(secret).toString())).toMatchObject([{ id: 1 }])
    for (const at of [0, secret.length - 1]) {
      const without = Buffer.from(secret)
      without[at] = (without[at] ?? 0) ^ 1
      expect(() => list(without)).toThrow()
    }
  })
})

test('an entry is the AES-256-GCM of its content under the key of the keyring, bound to the store and its number', async () => {
  const store = new MemoryStore()
  const memory = await open(store, DEVICE)
  for (const value of [1, 2]) await memory.tenant('home').assert({ subject: 'me', attribute: 'a', value })
  const { storeId, keys } = jsonOf(keyringOf(store))
  const sealedList = decrypt(Buffer.from(keys, 'hex'), deviceKey(secretOf(keyringOf(store))), `palimpsest keyring v1 ${storeId}`)
  const [{ key }] = JSON.parse(sealedList.toString()) as [{ readonly key: string }]
  const sealed = (store.entries.get(1) ?? new Uint8Array(0)).subarray(HEAD_BYTES)
  const opened = (boundTo: string): Buffer => decrypt(sealed, Buffer.from(key, 'hex'), boundTo)
  expect(opened(`palimpsest v1 ${storeId} entry 1`).length).toBe(sealed.length - NONCE_BYTES - TAG_BYTES)
  for (const other of [
    `palimpsest v1 ${storeId} entry 2`,
    `palimpsest v1 ${storeId} segment 1`,
    'palimpsest v1 another entry 1',
    '',
  ])
    expect(() => opened(other)).toThrow()
})

function secretOf(keyring: Buffer): Buffer {
  return keyring.subarray(HEAD_BYTES + keyring.readUInt32LE(8), -SUM_BYTES)
}

function deviceKey(secret: Buffer): Buffer {
  return createHash('sha256').update('palimpsest at rest v1 device\0').update(secret).digest()
}
