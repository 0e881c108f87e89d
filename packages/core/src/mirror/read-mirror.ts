/** What the mirrors of a store hold, read from their files. Nothing is changed. */
import type { StoredEntry, StoredImage, StoredKeyring } from '../journal/port.ts'
import { decodeHeader, decodeLogEntry, readFrames } from './frames.ts'
import type { MirrorPlace } from './port.ts'

export interface Identity {
  readonly storeId: string
  readonly deviceId: string
}

export interface MirroredLog {
  readonly name: string
  readonly entries: readonly StoredEntry[]
  /** Entries that could not be read, the cut one at the end included. */
  readonly damaged: number
  /** Of the file, as it was read. */
  readonly sizeBytes: number
}

/** A copy of a base whose end was written. */
export interface BaseName {
  readonly name: string
  readonly generation: number
  readonly floor: number
}

/** Of the stores that left theirs here; more than one only where a store was deleted behind our back. */
export async function readIdentities(place: MirrorPlace): Promise<Identity[]> {
  const found: Identity[] = []
  for (const name of await namesOf(place, 'identity')) {
    const header = decodeHeader((await framesOf(place, name)).frames[0])
    if (header?.deviceId !== undefined) found.push({ storeId: header.storeId, deviceId: header.deviceId })
  }
  return found
}

export async function readKeyrings(place: MirrorPlace, storeId: string): Promise<StoredKeyring[]> {
  const found: StoredKeyring[] = []
  for (const name of await namesOf(place, 'keyring')) {
    const [first, bytes] = (await framesOf(place, name)).frames
    const header = decodeHeader(first)
    if (header?.storeId === storeId && header.revision !== undefined && bytes !== undefined)
      found.push({ revision: header.revision, bytes: bytes.slice() })
  }
  return found
}

export async function readLogs(place: MirrorPlace, storeId: string): Promise<MirroredLog[]> {
  const logs: MirroredLog[] = []
  for (const name of await namesOf(place, 'log')) {
    const bytes = (await place.read(name)) ?? new Uint8Array(0)
    const { frames, damaged } = readFrames(bytes)
    const header = decodeHeader(frames[0])
    // A log whose header was damaged still says, entry by entry, what it holds: only this store's key opens it.
    if (header !== undefined && header.storeId !== storeId) continue
    logs.push({
      name,
      entries: (header === undefined ? frames : frames.slice(1)).map(decodeLogEntry),
      damaged,
      sizeBytes: bytes.length,
    })
  }
  return logs
}

/** The complete copies of bases, the newest first. */
export async function findBases(place: MirrorPlace): Promise<BaseName[]> {
  const whole = new Set((await namesOf(place, 'whole')).map(name => baseNamed(name).name))
  return (await namesOf(place, 'base'))
    .filter(name => whole.has(name))
    .map(baseNamed)
    .toSorted(newestFirst)
}

/** The base that a file belongs to: its copy, or the mark that says that the copy is whole. */
export function baseNamed(file: string): BaseName {
  const [, generation, floor, id] = file.split('-')
  return { name: `base-${generation}-${floor}-${id}`, generation: Number(generation), floor: Number(floor) }
}

/** Compares; of two copies of the same floor everybody takes the same for the newer one. */
export function newestFirst(a: BaseName, b: BaseName): number {
  return b.floor - a.floor || b.generation - a.generation || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0)
}

/** The copy of a base; undefined where it is not of this store or a part of it cannot be read. */
export async function readBase(place: MirrorPlace, base: BaseName, storeId: string): Promise<StoredImage | undefined> {
  const { frames, damaged } = await framesOf(place, base.name)
  if (damaged > 0 || decodeHeader(frames[0])?.storeId !== storeId) return undefined
  return { generation: base.generation, segments: frames.slice(1), deltas: [] }
}

export async function namesOf(place: MirrorPlace, kind: 'identity' | 'keyring' | 'log' | 'base' | 'whole'): Promise<string[]> {
  return (await place.list()).filter(name => name.startsWith(`${kind}-`))
}

async function framesOf(place: MirrorPlace, name: string): Promise<ReturnType<typeof readFrames>> {
  return readFrames((await place.read(name)) ?? new Uint8Array(0))
}
