/**
 * The keyring: the keys under which a store's entries, deltas and bases are sealed, themselves sealed under the lock.
 * Version 1:
 *
 * | bytes | what |
 * |---|---|
 * | 0..7 | `PSKEYS`, 0, 1 |
 * | 8..11 | u32 LE, length of the JSON |
 * | .. | JSON `{v: 1, storeId, lock, keys}`; `keys` is the hex of the sealed list, or the list itself where the lock is `off` |
 * | .. | `SECRET_BYTES` random bytes: the secret of a device lock, and what makes the value large enough for a file of its own |
 * | last 32 | SHA-256 of everything before |
 *
 * The list: `[{id, key}]`, ascending; `key` is hex, or null for a key that does not encrypt. The last is the current one.
 * Several are there only while a change of keys is under way. Id 0 stands for bytes written before there was a keyring.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { MemoryError } from '../errors.ts'
import { AesKey, KEY_BYTES } from './cipher.ts'
import { lockKey, type AtRest, type Lock } from './lock.ts'

const MAGIC = Uint8Array.of(0x50, 0x53, 0x4b, 0x45, 0x59, 0x53, 0, 1)
/** Browsers keep values up to about 64 KiB in shared files, in which deleted ones linger; larger ones get their own. */
const SECRET_BYTES: number = 96 * 1024
/** Web Crypto gives at most this much at once. */
const RANDOM_BYTES = 65_536
const SUM_BYTES = 32

export interface KeyEntry {
  readonly id: number
  /** Hex; null does not encrypt. */
  readonly key: string | null
}

/** A keyring as it is stored, its checksum verified and its lock still closed. */
export interface LockedKeyring {
  readonly storeId: string
  readonly lock: Lock
  readonly keys: string | readonly KeyEntry[]
  readonly secret: Uint8Array
}

/** What opens a keyring again after another replica changed it. */
export interface OpenKeyring {
  readonly storeId: string
  readonly lock: Lock
  readonly keys: readonly KeyEntry[]
  readonly lockKey: AesKey | undefined
}

function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += RANDOM_BYTES) crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES))
  return bytes
}

export function newKey(id: number, encrypts: boolean): KeyEntry {
  return { id, key: encrypts ? bytesToHex(randomBytes(KEY_BYTES)) : null }
}

/**
 * Seals `keys` under `lock`, with a new secret. Where the lock is a passphrase or a key, `held` is what an earlier opening
 * under the same lock gave and saves deriving it again.
 */
export async function lockKeyring(
  storeId: string,
  lock: Lock,
  keys: readonly KeyEntry[],
  atRest: AtRest | undefined,
  held?: AesKey,
): Promise<{ readonly bytes: Uint8Array; readonly open: OpenKeyring }> {
  const secret = randomBytes(SECRET_BYTES)
  const key = lock.kind === 'device' || held === undefined ? await lockKey(lock, atRest, secret) : held
  const sealed = key === undefined ? keys : bytesToHex(await key.seal(utf8ToBytes(JSON.stringify(keys)), bound(storeId)))
  const json = utf8ToBytes(JSON.stringify({ v: 1, storeId, lock, keys: sealed }))
  const bytes = new Uint8Array(MAGIC.length + 4 + json.length + secret.length + SUM_BYTES)
  bytes.set(MAGIC)
  new DataView(bytes.buffer).setUint32(MAGIC.length, json.length, true)
  bytes.set(json, MAGIC.length + 4)
  bytes.set(secret, MAGIC.length + 4 + json.length)
  bytes.set(sha256(bytes.subarray(0, -SUM_BYTES)), bytes.length - SUM_BYTES)
  return { bytes, open: { storeId, lock, keys, lockKey: key } }
}

/** @returns undefined where the bytes are not what was written */
export function readKeyring(bytes: Uint8Array): LockedKeyring | undefined {
  const content = bytes.subarray(0, Math.max(0, bytes.length - SUM_BYTES))
  if (bytesToHex(sha256(content)) !== bytesToHex(bytes.subarray(content.length))) return undefined
  if (content.length < MAGIC.length + 4 || MAGIC.some((byte, at) => content[at] !== byte)) return undefined
  const length = new DataView(content.buffer, content.byteOffset).getUint32(MAGIC.length, true)
  const json = content.subarray(MAGIC.length + 4, MAGIC.length + 4 + length)
  const { v, storeId, lock, keys } = JSON.parse(new TextDecoder('utf-8').decode(json)) as LockedKeyring & { v: number }
  if (v !== 1) throw new MemoryError('READ_ONLY', `The keyring is of version ${v}, written by newer code`, { version: v })
  return { storeId, lock, keys, secret: content.subarray(MAGIC.length + 4 + length) }
}

/**
 * Opens a keyring.
 * @throws {MemoryError} KEY_NEEDED, KEY_WRONG
 */
export async function unlockKeyring(
  { storeId, lock, keys, secret }: LockedKeyring,
  atRest: AtRest | undefined,
): Promise<OpenKeyring> {
  return openWith(storeId, lock, keys, await lockKey(lock, atRest, secret))
}

/** Opens a keyring that another replica wrote: under the same lock with the key that is at hand, else from the start. */
export async function unlockAgain(next: LockedKeyring, before: OpenKeyring, atRest: AtRest | undefined): Promise<OpenKeyring> {
  const same = next.lock.kind !== 'device' && JSON.stringify(next.lock) === JSON.stringify(before.lock)
  return same && before.lockKey !== undefined
    ? openWith(next.storeId, next.lock, next.keys, before.lockKey)
    : unlockKeyring(next, atRest)
}

async function openWith(storeId: string, lock: Lock, keys: LockedKeyring['keys'], key: AesKey | undefined): Promise<OpenKeyring> {
  if (key === undefined) {
    if (typeof keys === 'string') throw new MemoryError('KEY_DAMAGED', 'The keyring contradicts itself', { lock: lock.kind })
    return { storeId, lock, keys, lockKey: undefined }
  }
  const list = typeof keys === 'string' ? await key.open(hexToBytes(keys), bound(storeId)) : undefined
  if (list === undefined) throw new MemoryError('KEY_WRONG', `The ${lock.kind} does not open this store`, { lock: lock.kind })
  return { storeId, lock, keys: JSON.parse(new TextDecoder('utf-8').decode(list)) as KeyEntry[], lockKey: key }
}

function bound(storeId: string): Uint8Array {
  return utf8ToBytes(`palimpsest keyring v1 ${storeId}`)
}
