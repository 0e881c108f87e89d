/** Opens and closes the store in argv[2] on request: reads `open` and `close` from standard input, prints what came of it. */
import { createInterface } from 'node:readline'
import { MemoryError } from '@palimpsest/core'
import type { Journal } from '@palimpsest/core'
import { openDirectoryJournal } from '../../src/journal/open-directory.ts'

let journal: Journal | undefined

async function answer(request: string): Promise<string> {
  if (request === 'close') {
    await journal?.close()
    journal = undefined
    return 'closed'
  }
  try {
    journal = await openDirectoryJournal(process.argv[2] ?? '')
    return 'open'
  } catch (error) {
    return MemoryError.is(error) ? `${error.code} ${String(error.details.pid)}` : String(error)
  }
}

console.log('ready')
for await (const request of createInterface({ input: process.stdin })) console.log(await answer(request))
