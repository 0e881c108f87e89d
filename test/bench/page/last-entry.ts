/** The bytes of the entry written last by the memory `name`: what a bare add must store to be comparable. */
export async function lastEntry(name: string): Promise<Uint8Array> {
  const found = (await indexedDB.databases()).find(database => database.name?.endsWith(name))
  if (found?.name === undefined) throw new Error(`no database of ${name}`)
  const database = await settled(indexedDB.open(found.name))
  try {
    const cursor = await settled(database.transaction('journal').objectStore('journal').openCursor(null, 'prev'))
    const bytes = (cursor?.value as { readonly bytes?: unknown } | undefined)?.bytes
    if (!(bytes instanceof Uint8Array)) throw new Error(`no entry in the journal of ${name}`)
    return bytes
  } finally {
    database.close()
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((settle, fail) => {
    request.addEventListener('success', () => settle(request.result))
    request.addEventListener('error', () => fail(request.error ?? new Error('the request failed')))
  })
}
