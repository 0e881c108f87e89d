/** AES-256-GCM by the platform, for one blob at a time. The key's bytes stay inside the platform once imported. */
import { MemoryError } from '../errors.ts'

export const KEY_BYTES = 32
/** Random for each blob. At 2^32 blobs under one key the chance of a repeat would reach 2^-33 (NIST SP 800-38D, 8.3). */
const NONCE_BYTES = 12

type Bytes = Uint8Array<ArrayBuffer>
type Subtle = NonNullable<typeof crypto.subtle>
// By way of the platform's own function: not every platform has a global name for it.
type PlatformKey = Awaited<ReturnType<Subtle['importKey']>>

/** False in a page that is not a secure context: there the platform offers no encryption. */
export function canEncrypt(): boolean {
  return crypto.subtle !== undefined
}

export class AesKey {
  readonly #key: PlatformKey
  readonly #subtle: Subtle

  private constructor(key: PlatformKey, subtle: Subtle) {
    this.#key = key
    this.#subtle = subtle
  }

  /**
   * @param bytes `KEY_BYTES` of them
   * @throws {MemoryError} STORE_UNAVAILABLE where the platform offers no encryption
   */
  static async of(bytes: Uint8Array): Promise<AesKey> {
    const { subtle } = crypto
    if (subtle === undefined)
      throw new MemoryError('STORE_UNAVAILABLE', 'Encryption needs a secure context (https or localhost)', {
        reason: 'insecure context',
      })
    return new AesKey(await subtle.importKey('raw', own(bytes), 'AES-GCM', false, ['encrypt', 'decrypt']), subtle)
  }

  /** Nonce, ciphertext and tag. `bound` is not stored: the same must be given to open it. */
  async seal(bytes: Uint8Array, bound: Uint8Array): Promise<Uint8Array> {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const sealed = new Uint8Array(
      await this.#subtle.encrypt({ name: 'AES-GCM', iv, additionalData: own(bound) }, this.#key, own(bytes)),
    )
    const all = new Uint8Array(NONCE_BYTES + sealed.length)
    all.set(iv)
    all.set(sealed, NONCE_BYTES)
    return all
  }

  /** @returns undefined where it was sealed under another key or for another place, or was changed since */
  async open(sealed: Uint8Array, bound: Uint8Array): Promise<Uint8Array | undefined> {
    const iv = own(sealed.slice(0, NONCE_BYTES))
    if (iv.length < NONCE_BYTES) return undefined
    try {
      const algorithm = { name: 'AES-GCM', iv, additionalData: own(bound) } as const
      return new Uint8Array(await this.#subtle.decrypt(algorithm, this.#key, own(sealed.subarray(NONCE_BYTES))))
    } catch {
      return undefined
    }
  }
}

/** The platform takes no view of memory that may be shared. */
function own(bytes: Uint8Array): Bytes {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Bytes) : Uint8Array.from(bytes)
}
