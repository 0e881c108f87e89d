// What the core uses of its platform, and nothing more: present in pages, workers and Node. The core is checked against
// this instead of the DOM's or Node's types, so that it cannot reach for anything else.
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes: Uint8Array): string
}
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare function setTimeout(callback: () => void, delayMs: number): number
declare function clearTimeout(timer: number | undefined): void
interface CryptoKey {
  readonly type: string
}
interface AesGcm {
  name: 'AES-GCM'
  iv: Uint8Array<ArrayBuffer>
  additionalData: Uint8Array<ArrayBuffer>
}
// `subtle` is missing in pages that are not a secure context.
declare const crypto: {
  getRandomValues<T extends Uint8Array>(bytes: T): T
  readonly subtle?: {
    importKey(
      format: 'raw',
      bytes: Uint8Array<ArrayBuffer>,
      algorithm: 'AES-GCM',
      extractable: false,
      uses: ('encrypt' | 'decrypt')[],
    ): Promise<CryptoKey>
    encrypt(algorithm: AesGcm, key: CryptoKey, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
    decrypt(algorithm: AesGcm, key: CryptoKey, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
  }
}
declare function structuredClone<T>(value: T): T
