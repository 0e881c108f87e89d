/** Bases and deltas: bodies of one transaction each over the row `image` and the stores it guards. */
import type { BaseWrite, DeltaWrite, StoredImage } from '@palimpsest/core'
import type { TransactionControl } from './one-shot.ts'
import { readRows } from './read-rows.ts'
import { BASE, DELTA, JOURNAL, META, generationRange, imageState, ownBytes } from './rows.ts'
import type { ImageState } from './rows.ts'
import type { Transactions } from './transactions.ts'

export function saveDelta(tx: IDBTransaction, control: TransactionControl<boolean>, delta: DeltaWrite): () => boolean {
  const { generation, n, floor } = delta
  const meta = tx.objectStore(META)
  const image = meta.get('image')
  const bytes = ownBytes(delta.bytes)
  image.onsuccess = () => {
    const state = imageState(image.result)
    const isCurrent = generation > 0 && generation === state.generation
    if (!isCurrent || n !== state.deltas + 1 || floor < state.floor) return control.refuse(false)
    tx.objectStore(DELTA).add({ generation, n, bytes })
    const sizeBytes = (state.sizesBytes[generation] ?? 0) + bytes.byteLength
    const next: ImageState = { ...state, deltas: n, floor, sizesBytes: { ...state.sizesBytes, [generation]: sizeBytes } }
    meta.put({ key: 'image', value: next })
  }
  return () => true
}

export function saveBase(tx: IDBTransaction, control: TransactionControl<boolean>, base: BaseWrite): () => boolean {
  const { generation, floor } = base
  const meta = tx.objectStore(META)
  const image = meta.get('image')
  const segments = base.segments.map(ownBytes)
  const sizeBytes = segments.reduce((sum, bytes) => sum + bytes.byteLength, 0)
  image.onsuccess = () => {
    const state = imageState(image.result)
    if (generation !== state.generation + 1 || floor < state.floor) return control.refuse(false)
    segments.forEach((bytes, i) => tx.objectStore(BASE).add({ generation, i, bytes }))
    const next: ImageState = { generation, deltas: 0, floor, sizesBytes: { ...state.sizesBytes, [generation]: sizeBytes } }
    meta.put({ key: 'image', value: next })
  }
  return () => true
}

/** The image of `generation`, or of the current one. */
export function loadImage(tx: IDBTransaction, generation: number | undefined): () => StoredImage | undefined {
  let segments: IDBRequest<unknown[]> | undefined
  let deltas: IDBRequest<unknown[]> | undefined
  let wanted = generation ?? 0
  const load = (): void => {
    segments = tx.objectStore(BASE).getAll(generationRange(wanted))
    deltas = tx.objectStore(DELTA).getAll(generationRange(wanted))
  }
  if (generation === undefined) {
    const image = tx.objectStore(META).get('image')
    image.onsuccess = () => {
      wanted = imageState(image.result).generation
      load()
    }
  } else load()
  return () => {
    const found = bytesOf(segments)
    return found.length === 0 ? undefined : { generation: wanted, segments: found, deltas: bytesOf(deltas) }
  }
}

/** The same where some of its rows cannot be read: these are empty, as the port says. */
export async function loadImageApart(transactions: Transactions, generation: number): Promise<StoredImage | undefined> {
  const parts = async (store: string): Promise<Uint8Array[]> => {
    const rows = await readRows<{ readonly bytes: Uint8Array }>(transactions, store, generationRange(generation))
    return rows.map(row => row?.bytes ?? new Uint8Array(0))
  }
  const segments = await parts(BASE)
  return segments.length === 0 ? undefined : { generation, segments, deltas: await parts(DELTA) }
}

/** Whatever is asked for, the current generation and the entries that it has not folded in stay. */
export function dropBefore(tx: IDBTransaction, generation: number, dropUpTo: number): () => void {
  const meta = tx.objectStore(META)
  const image = meta.get('image')
  image.onsuccess = () => {
    const state = imageState(image.result)
    const oldest = Math.min(generation, state.generation)
    tx.objectStore(BASE).delete(IDBKeyRange.upperBound([oldest], true))
    tx.objectStore(DELTA).delete(IDBKeyRange.upperBound([oldest], true))
    tx.objectStore(JOURNAL).delete(IDBKeyRange.upperBound(Math.min(dropUpTo, state.floor)))
    const kept = Object.entries(state.sizesBytes).filter(([name]) => Number(name) >= oldest)
    meta.put({ key: 'image', value: { ...state, sizesBytes: Object.fromEntries(kept) } })
  }
  return () => {}
}

function bytesOf(request: IDBRequest<unknown[]> | undefined): Uint8Array[] {
  return ((request?.result ?? []) as { readonly bytes: Uint8Array }[]).map(row => row.bytes)
}
