/** What page and shell say to each other: two questions, and limits on what is believed. */

export const SAVE_FILE = 'palimpsest:save-file'
export const OPEN_FILE = 'palimpsest:open-file'

/** Larger files do not pass; a memory file of this size holds millions of facts. */
export const MAX_FILE_BYTES = 1024 ** 3

/** Longest name of a file that a page may suggest, in UTF-16 units. */
const MAX_NAME_LENGTH = 200

/** What the page suggests, checked: a bare name, without a path or control characters, and bytes within the limit. */
export function checkedSave(name: unknown, bytes: unknown): { readonly name: string; readonly bytes: Uint8Array } {
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_LENGTH)
    throw new TypeError('The name is not one for a file')
  // oxlint-disable-next-line no-control-regex -- a name with control characters is what is refused
  if (/[/\\:\u0000-\u001f\u007f]/u.test(name) || name.startsWith('.'))
    throw new TypeError('The name holds characters that no name of a file may hold')
  if (!(bytes instanceof Uint8Array)) throw new TypeError('The content is not bytes')
  if (bytes.byteLength > MAX_FILE_BYTES) throw new RangeError('The content is over 1 GiB')
  return { name, bytes }
}
