/**
 * The mirror's place: files of one store, outside the journal's own storage, so that what destroys the one spares the other.
 *
 * Every replica appends what it committed to a file of its own (`MirrorFile`); a file that must be whole carries its own end
 * mark, so a place needs neither an atomic replace nor a rename. Names are those of `files.ts`: lower-case letters, digits,
 * `-` and `.`, at most 100 characters.
 */

/** A file that this replica holds open for appending. No other replica can open or remove it meanwhile. */
export interface MirrorFile {
  /**
   * Appends `bytes` after what is there. When it settles they outlive the death of the process at any instruction, and with
   * `flush` also that of the machine, as far as the platform promises.
   * @throws {MemoryError} NOT_STORED when there is no room or the place is gone. With `details.isWhole` the file is as it was
   *   before; else a part of `bytes` may stand at its end.
   */
  append(bytes: Uint8Array, options?: { readonly flush?: boolean }): Promise<void>
  /** Lets go of it; what was appended stays. Closing again does nothing. */
  close(): Promise<void>
}

export interface MirrorPlace {
  /** Where this is, for `health()`: `opfs` (the origin's private file system), `file` (of the desktop shell), `memory` (tests). */
  readonly kind: 'opfs' | 'file' | 'memory'
  /** The names of all files of this store; none where nothing was ever written. */
  list(): Promise<readonly string[]>
  /** All bytes of a file at this moment, also while its owner appends; undefined where there is none. */
  read(name: string): Promise<Uint8Array | undefined>
  /**
   * Makes a new, empty file and holds it open.
   * @throws {MemoryError} NOT_STORED when it cannot be made, or one of this name is there
   */
  create(name: string): Promise<MirrorFile>
  /**
   * Removes a file; `false`, and it stays, while a replica that lives holds it open. `true` where there is none.
   * @param sizeBytes Only if it has this many bytes once nobody holds it: what its owner appended since it was read, and then
   *   let go, must not go unread.
   */
  remove(name: string, sizeBytes?: number): Promise<boolean>
  /** Lets go of the place and of every file that is still held. */
  close(): Promise<void>
}
