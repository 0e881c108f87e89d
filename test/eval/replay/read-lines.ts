/** The lines of a text file, unpacked where it is gzip: told by its first two bytes, whatever it is called. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

export async function* readLines(path: string): AsyncGenerator<string> {
  const raw = createReadStream(path)
  // Piping hands on data and the end, not errors: a cut archive or an unreadable file must fail the loop below.
  const source = (await isGzip(path)) ? raw.pipe(createGunzip()) : raw
  let failure: Error | undefined
  const lines = createInterface({ input: source, crlfDelay: Infinity })
  const fail = (error: Error): void => {
    failure ??= error
    lines.close()
  }
  raw.on('error', fail)
  if (source !== raw) source.on('error', fail)
  for await (const line of lines) yield line
  if (failure !== undefined) throw failure
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const magic = Buffer.alloc(2)
    await file.read(magic, 0, 2, 0)
    return magic[0] === 0x1f && magic[1] === 0x8b
  } finally {
    await file.close()
  }
}
