/** `palimpsest export` and `palimpsest import`: a tenant's memory file out of and into a directory. */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { exportFile, importFile } from '@palimpsest/file'
import { openMemory } from '../open-memory.ts'
import { print } from './terminal.ts'

type Arguments = readonly [directory: string, tenant: string, file: string]

/** The file appears under its name only when it is whole. */
export async function transferOut([directory, tenant, file]: Arguments): Promise<void> {
  const memory = await openMemory({ directory })
  const part = `${file}.part`
  try {
    const target = await open(part, 'w', 0o600)
    try {
      for await (const chunk of exportFile(memory.tenant(tenant))) await target.write(chunk)
      await target.sync()
    } finally {
      await target.close()
    }
    await rename(part, file)
    print(`Wrote ${file}`)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await memory.close()
  }
}

export async function transferIn([directory, tenant, file]: Arguments): Promise<void> {
  const memory = await openMemory({ directory })
  try {
    const incoming = await importFile(memory.tenant(tenant, { actor: 'user' }), createReadStream(file), { own: true })
    const { added, identical } = await incoming.apply()
    print(`Read ${file}: ${added} records new, ${identical} there already`)
  } finally {
    await memory.close()
  }
}
