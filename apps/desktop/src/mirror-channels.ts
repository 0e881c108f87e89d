/**
 * What page and shell say to each other about the files of the mirror, and limits on what is believed. Every call begins with
 * the name that the page was given when it was loaded: what one page holds is let go when the next one asks.
 */

export const LIST_MIRROR = 'palimpsest:mirror-list'
export const READ_MIRROR = 'palimpsest:mirror-read'
export const CREATE_MIRROR = 'palimpsest:mirror-create'
export const APPEND_MIRROR = 'palimpsest:mirror-append'
export const CLOSE_MIRROR = 'palimpsest:mirror-close'
export const REMOVE_MIRROR = 'palimpsest:mirror-remove'

/** Most bytes of one append; entries and the segments of a base have some megabytes. */
export const MAX_APPEND_BYTES: number = 64 * 1024 * 1024

const MAX_STORE_LENGTH = 200
/** The mirror's own names. Neither `..` nor anything else that leads out of a folder is among them. */
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?$/
const PAGE = /^[0-9a-f-]{36}$/

export function checkedPage(page: unknown): string {
  if (typeof page !== 'string' || !PAGE.test(page)) throw new TypeError('The page has no name')
  return page
}

export function checkedStore(store: unknown): string {
  if (typeof store !== 'string' || store === '' || store.length > MAX_STORE_LENGTH)
    throw new TypeError('The name is not one of a store')
  return store
}

export function checkedName(name: unknown): string {
  if (typeof name !== 'string' || !NAME.test(name)) throw new TypeError('The name is not one of a file of the mirror')
  return name
}

export function checkedFile(file: unknown): number {
  if (typeof file !== 'number' || !Number.isSafeInteger(file)) throw new TypeError('This names no open file')
  return file
}

export function checkedSize(sizeBytes: unknown): number | undefined {
  if (sizeBytes === undefined) return undefined
  if (typeof sizeBytes !== 'number' || !Number.isSafeInteger(sizeBytes)) throw new TypeError('This is no size of a file')
  return sizeBytes
}

export function checkedAppend(bytes: unknown, flush: unknown): { readonly bytes: Uint8Array; readonly flush: boolean } {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('The content is not bytes')
  if (bytes.byteLength > MAX_APPEND_BYTES) throw new RangeError('The content is over 64 MiB')
  if (typeof flush !== 'boolean') throw new TypeError('Whether to flush is neither true nor false')
  return { bytes, flush }
}
