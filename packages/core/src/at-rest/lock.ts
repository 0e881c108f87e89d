/**
 * What locks a keyring, and the key that it gives.
 *
 * | lock | the key | secret from somebody who has the disk |
 * |---|---|---|
 * | `device` | SHA-256 of a random secret in the keyring itself | no: it serves erasure, the secret goes and old bytes are noise |
 * | `passphrase` | Argon2id (RFC 9106) of it | yes, as far as the passphrase is |
 * | `key` | SHA-256 of 32 bytes that the application holds | yes |
 * | `off` | none: nothing is encrypted | no |
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { MemoryError } from '../errors.ts'
import { AesKey, KEY_BYTES } from './cipher.ts'

/** How a store is to be locked. */
export type AtRest =
  | { readonly kind: 'device' }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  /** 32 bytes that the application keeps, e.g. in the keychain of the system. */
  | { readonly kind: 'key'; readonly key: Uint8Array }
  | { readonly kind: 'off' }

export type LockKind = AtRest['kind']

/** What the keyring says about its lock, readable without a key. */
export type Lock =
  | { readonly kind: 'device' | 'key' | 'off' }
  | { readonly kind: 'passphrase'; readonly salt: string; readonly memoryKiB: number; readonly passes: number }

/** RFC 9106's second recommended choice: 64 MiB, three passes. */
const ARGON2ID = { memoryKiB: 64 * 1024, passes: 3 } as const
const SALT_BYTES = 16
/** More than this would be an attack on the device that opens it. */
const MAX_MEMORY_KIB: number = 1024 * 1024
const MAX_PASSES = 64

/** @throws {MemoryError} INVALID_ARGUMENT */
export function checkAtRest(atRest: AtRest): AtRest {
  const { kind } = atRest
  if (kind === 'passphrase' && (typeof atRest.passphrase !== 'string' || atRest.passphrase === ''))
    throw new MemoryError('INVALID_ARGUMENT', 'The passphrase must not be empty', { field: 'atRest.passphrase' })
  if (kind === 'key' && !(atRest.key instanceof Uint8Array && atRest.key.length === KEY_BYTES))
    throw new MemoryError('INVALID_ARGUMENT', `The key must be ${KEY_BYTES} bytes`, { field: 'atRest.key' })
  if (!['device', 'passphrase', 'key', 'off'].includes(kind))
    throw new MemoryError('INVALID_ARGUMENT', "atRest.kind must be 'device', 'passphrase', 'key' or 'off'", {
      field: 'atRest.kind',
    })
  return atRest
}

/** A new lock of this kind: another salt each time. */
export function newLock(kind: LockKind): Lock {
  if (kind !== 'passphrase') return { kind }
  return { kind, salt: bytesToHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES))), ...ARGON2ID }
}

/**
 * The key that opens a keyring; undefined where it is not locked.
 * @param secret the random bytes of the keyring
 * @throws {MemoryError} KEY_NEEDED when the store wants a passphrase or key and none was given; KEY_WRONG when it is locked
 *   in another way than the one given
 */
export async function lockKey(lock: Lock, atRest: AtRest | undefined, secret: Uint8Array): Promise<AesKey | undefined> {
  if (atRest === undefined ? lock.kind === 'passphrase' || lock.kind === 'key' : needsOther(lock, atRest))
    throw new MemoryError(
      atRest === undefined || atRest.kind === 'device' || atRest.kind === 'off' ? 'KEY_NEEDED' : 'KEY_WRONG',
      `The store is locked by ${WORDS[lock.kind]}`,
      { lock: lock.kind },
    )
  switch (lock.kind) {
    case 'off':
      return undefined
    case 'device':
      return AesKey.of(derive('device', secret))
    case 'key':
      return AesKey.of(derive('key', atRest?.kind === 'key' ? atRest.key : new Uint8Array(0)))
    case 'passphrase': {
      const { memoryKiB, passes } = lock
      if (!(memoryKiB >= 8 && memoryKiB <= MAX_MEMORY_KIB && passes >= 1 && passes <= MAX_PASSES))
        throw new MemoryError('KEY_DAMAGED', 'The keyring asks for more memory than any keyring needs', { lock: lock.kind })
      // Loaded only here: a store without a passphrase does not carry it.
      const { argon2id } = await import('hash-wasm')
      const key = await argon2id({
        password: (atRest?.kind === 'passphrase' ? atRest.passphrase : '').normalize('NFKC'),
        salt: hexToBytes(lock.salt),
        parallelism: 1,
        iterations: passes,
        memorySize: memoryKiB,
        hashLength: KEY_BYTES,
        outputType: 'binary',
      })
      return AesKey.of(key)
    }
  }
}

const WORDS: Readonly<Record<LockKind, string>> = {
  device: 'the device',
  passphrase: 'a passphrase',
  key: 'a key that the application holds',
  off: 'nothing',
}

/** `device` and `off` are asked for without a secret: whichever of them the store has will do. */
function needsOther(lock: Lock, atRest: AtRest): boolean {
  const open = (kind: LockKind): boolean => kind === 'device' || kind === 'off'
  return lock.kind !== atRest.kind && !(open(lock.kind) && open(atRest.kind))
}

function derive(purpose: string, secret: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`palimpsest at rest v1 ${purpose}\0`), secret))
}
