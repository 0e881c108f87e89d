/**
 * One process at a time in a directory: the file `lock.json` names it.
 *
 * A lock is taken by giving a complete file the name `lock.json`, which one process can do while there is none. Taking over
 * from a dead process D replaces its file, and two that try at once must not replace each other's. So only who holds the
 * guard `lock-<nonce of D>.guard` may do it, and only after looking, under the guard, that the lock is still D's:
 *
 * ```
 *   P: reads D, dead → guard of D → still D's → replaces lock.json → lets go of the guard
 *   Q: reads D, dead ················· guard of D → now P's, alive → lets go of the guard → LOCKED
 * ```
 *
 * A nonce is never used twice, so a process that wakes up with an old view can only find that it is old. A guard is a
 * lock as well: if its holder dies, it is taken over in the same way, by the guard of that holder.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MemoryError } from '@palimpsest/core'
import type { Disk } from './disk.ts'
import { isErrno } from './disk.ts'
import { sumOf } from './frame.ts'
import type { LockHolder } from './lock-holder.ts'
import { parseHolder, stateOf, thisProcess } from './lock-holder.ts'
import { replaceFile, temporaryFor, writeTemporary } from './replace-file.ts'

export const LOCK_NAME = 'lock.json'

const GUARD = /^lock-[0-9a-f]{16}\.guard$/
/** How long to wait for another process that is just taking over, and for one that has made a lock but not yet filled it. */
const PATIENCE_MS = 3_000
const RETRY_MS = 15

interface Found {
  /** Of the holder; of the content where that names none. */
  readonly nonce: string
  readonly holder: LockHolder | undefined
}

/** Whether a file belongs to the lock and not to the store. */
export function isLockFile(name: string): boolean {
  const lasting = temporaryFor(name) ?? name
  return lasting === LOCK_NAME || GUARD.test(lasting)
}

export class DirectoryLock {
  readonly #disk: Disk
  readonly #directory: string
  readonly #nonce: string
  #identity: string | undefined
  #content: Uint8Array = new Uint8Array(0)

  private constructor(disk: Disk, directory: string, nonce: string) {
    this.#disk = disk
    this.#directory = directory
    this.#nonce = nonce
  }

  /**
   * @throws {MemoryError} LOCKED when a process that runs holds it, or one of which that cannot be told; `details.pid`
   * @throws the disk's error
   */
  static async acquire(disk: Disk, directory: string): Promise<DirectoryLock> {
    const lock = new DirectoryLock(disk, directory, randomBytes(8).toString('hex'))
    lock.#content = Buffer.from(`${JSON.stringify(await thisProcess(lock.#nonce))}\n`)
    const deadlineMs = Date.now() + PATIENCE_MS
    for (;;) {
      const outcome = await lock.#take(LOCK_NAME)
      if (outcome === 'taken') break
      if (outcome !== 'changed') throw lock.#locked(outcome)
      if (Date.now() > deadlineMs) throw lock.#locked((await lock.#find(LOCK_NAME))?.holder)
      // Not all at the same moment.
      await delay(RETRY_MS * (1 + Math.random()))
    }
    lock.#identity = await disk.identity(join(directory, LOCK_NAME))
    return lock
  }

  /**
   * Cheap: looks whether the file is still the one that we made.
   * @throws {MemoryError} LOCKED when another process has taken it; STORE_UNAVAILABLE when it was removed
   */
  async verify(): Promise<void> {
    const identity = await this.#disk.identity(join(this.#directory, LOCK_NAME))
    if (identity !== undefined && identity === this.#identity) return
    const found = await this.#find(LOCK_NAME)
    // Another file with our content: the directory was copied or restored under us. It is still our lock.
    if (found?.nonce === this.#nonce) this.#identity = identity
    else if (found) throw this.#locked(found.holder)
    else throw new MemoryError('STORE_UNAVAILABLE', `${this.#directory} lost its ${LOCK_NAME}`, { reason: 'lock removed' })
  }

  async release(): Promise<void> {
    const found = await this.#find(LOCK_NAME).catch(() => undefined)
    if (found?.nonce === this.#nonce) await this.#disk.remove(join(this.#directory, LOCK_NAME)).catch(() => {})
  }

  /** Removes guards and temporary files of attempts that ended in the middle. While we hold the lock, no guard but ours means anything. */
  async sweep(): Promise<void> {
    for (const name of await this.#disk.names(this.#directory)) {
      if (GUARD.test(name)) {
        if (name !== guardOf(this.#nonce)) await this.#disk.remove(join(this.#directory, name))
      } else if (isLockFile(name) && name !== LOCK_NAME) {
        const found = await this.#find(name)
        if (found === undefined) continue
        // One that names nobody may be filled at this moment, by a process that is about to find the lock taken.
        const isLeft = found.holder ? (await stateOf(found.holder)) === 'dead' : !(await this.#isBeingWritten(name))
        if (isLeft) await this.#disk.remove(join(this.#directory, name))
      }
    }
  }

  /** Makes the lock or guard `name` ours. Otherwise who has it, or `changed`: look again. */
  async #take(name: string): Promise<'taken' | 'changed' | LockHolder> {
    const found = await this.#find(name)
    if (!found) return (await this.#claim(name)) ? 'taken' : 'changed'
    if (found.holder && (await stateOf(found.holder)) !== 'dead') return found.holder
    if (!found.holder && (await this.#isBeingWritten(name))) return 'changed'
    const guard = guardOf(found.nonce)
    // Who holds the guard is about to take the lock: what comes of it shows when we look again.
    if ((await this.#take(guard)) !== 'taken') return 'changed'
    try {
      if ((await this.#find(name))?.nonce !== found.nonce) return 'changed'
      await replaceFile(this.#disk, this.#directory, name, this.#content)
      return 'taken'
    } finally {
      await this.#disk.remove(join(this.#directory, guard)).catch(() => {})
    }
  }

  /** Gives a complete file the name. False where something has the name already. */
  async #claim(name: string): Promise<boolean> {
    const path = join(this.#directory, name)
    const own = await writeTemporary(this.#disk, this.#directory, name, this.#content)
    try {
      await this.#disk.link(own, path)
    } catch (error) {
      // Without the second name the first one is gone: swept by who has the lock now.
      if (isErrno(error, 'EEXIST', 'ENOENT')) return false
      if (!isErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error
      return await this.#claimWithoutLinks(path)
    } finally {
      await this.#disk.remove(own).catch(() => {})
    }
    return true
  }

  /** For file systems of memory sticks. The file is empty for a moment: see #isBeingWritten. */
  async #claimWithoutLinks(path: string): Promise<boolean> {
    try {
      const file = await this.#disk.create(path)
      await file.write(this.#content, 0).finally(() => file.close())
    } catch (error) {
      if (isErrno(error, 'EEXIST')) return false
      throw error
    }
    return true
  }

  /** A lock that names nobody was just made, or is what a power cut left. */
  async #isBeingWritten(name: string): Promise<boolean> {
    const changedMs = await this.#disk.changedMs(join(this.#directory, name)).catch(() => Number.POSITIVE_INFINITY)
    return Date.now() - changedMs < PATIENCE_MS / 2
  }

  async #find(name: string): Promise<Found | undefined> {
    try {
      const content = await this.#disk.read(join(this.#directory, name))
      const holder = parseHolder(Buffer.from(content).toString('utf8'))
      return { holder, nonce: holder?.nonce ?? sumOf(content) }
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    }
  }

  #locked(holder: LockHolder | undefined): MemoryError {
    const place = join(this.#directory, LOCK_NAME)
    if (!holder) return new MemoryError('LOCKED', `Another process is opening ${this.#directory}`, { directory: this.#directory })
    const { pid, host } = holder
    const message =
      holder.host === hostname()
        ? `Process ${pid} has ${this.#directory} open`
        : `Process ${pid} on ${host} locked ${this.#directory}`
    return new MemoryError('LOCKED', `${message}. If it runs no more, delete ${place}`, { directory: this.#directory, pid, host })
  }
}

function guardOf(nonce: string): string {
  return `lock-${nonce}.guard`
}
