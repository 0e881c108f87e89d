/** The memory as a file, out and in. The reader and writer of files are loaded when they are first used. */
import type { IncomingFile } from '@palimpsest/file'
import type { Home } from '../home/home.ts'
import { saveFile } from './save-file.ts'

/** @returns the name under which it was offered; undefined when the person thought better of it */
export async function exportMemory({ person }: Home): Promise<string | undefined> {
  const { exportFile } = await import('@palimpsest/file')
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of exportFile(person)) chunks.push(chunk)
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
  const name = fileName(new Date())
  return (await saveFile(name, bytes)) ? name : undefined
}

/**
 * Reads and verifies a file. Nothing is written before `apply`.
 * @throws {MemoryError} FILE_INVALID
 */
export async function readMemoryFile({ person }: Home, bytes: Uint8Array): Promise<IncomingFile> {
  const { importFile } = await import('@palimpsest/file')
  return importFile(person, bytes, { own: true })
}

/** `palimpsest-2026-06-30.sgam.jsonl`, by the day here. */
function fileName(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  return `palimpsest-${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.sgam.jsonl`
}
