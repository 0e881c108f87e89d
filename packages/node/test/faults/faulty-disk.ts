/**
 * A disk that goes wrong at one step: the `at`-th call that a fault of its kind can meet.
 *
 * | kind | what happens |
 * |---|---|
 * | fails | nothing is done; EIO |
 * | fails after | it is done; EIO all the same |
 * | half written | a write that puts down half of its bytes; ENOSPC |
 * | fails from then on | as a file system that the system made read-only; EROFS for every change until it is mended |
 * | unreadable | one reading fails; EIO |
 * | unreadable from then on | every reading until it is mended; EIO |
 */
import type { Disk, DiskFile } from '../../src/journal/disk.ts'
import { failure } from '../journal/disks.ts'

export const DISK_FAULTS = [
  'fails',
  'fails after',
  'half written',
  'fails from then on',
  'unreadable',
  'unreadable from then on',
] as const

export type DiskFault = (typeof DISK_FAULTS)[number]

const READINGS: ReadonlySet<string> = new Set(['names', 'read', 'sizeBytes', 'changedMs', 'identity'])
/** Letting go of a file goes wrong in no way that matters. */
const NOT_MET: ReadonlySet<string> = new Set(['close'])

type Method = (...args: never[]) => Promise<unknown>

export class FaultyDisk {
  readonly kind: DiskFault
  readonly at: number
  /** The call that was met. */
  fired: string | undefined
  steps = 0
  #mended = false

  constructor(kind: DiskFault, at: number) {
    this.kind = kind
    this.at = at
  }

  /** From now on nothing goes wrong. */
  mend(): void {
    this.#mended = true
  }

  around(disk: Disk): Disk {
    return this.#wrap(disk, call => this.#openedBy(call))
  }

  /** A file that was opened is met like the disk. */
  async #openedBy(call: () => Promise<unknown>): Promise<unknown> {
    const result = await call()
    return isFile(result) ? this.#wrap(result, inner => inner()) : result
  }

  #wrap<T extends object>(target: T, around: (call: () => Promise<unknown>) => Promise<unknown>): T {
    return new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) =>
          this.#meet(String(name), args, changed => around(() => (member as Method).apply(object, changed as never[])))
      },
    })
  }

  async #meet(name: string, args: unknown[], effect: (args: unknown[]) => Promise<unknown>): Promise<unknown> {
    if (this.#mended || NOT_MET.has(name) || !this.#canMeet(name)) return effect(args)
    this.steps++
    const lasts = this.kind.endsWith('from then on')
    if (this.steps < this.at || (this.steps > this.at && !lasts)) return effect(args)
    this.fired ??= name
    if (this.kind === 'fails after') await effect(args)
    if (this.kind === 'half written') {
      const [bytes, position] = args as [Uint8Array, number]
      await effect([bytes.subarray(0, bytes.length >> 1), position])
      throw failure('ENOSPC')
    }
    throw failure(this.kind === 'fails from then on' ? 'EROFS' : 'EIO')
  }

  #canMeet(name: string): boolean {
    if (this.kind === 'half written') return name === 'write'
    return READINGS.has(name) === this.kind.startsWith('unreadable')
  }
}

function isFile(value: unknown): value is DiskFile {
  return typeof value === 'object' && value !== null && 'truncate' in value
}
