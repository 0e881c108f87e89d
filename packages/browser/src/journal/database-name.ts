/** Keeps a store apart from databases of the application that have the same name. */
export function databaseName(storeName: string): string {
  return `palimpsest:${storeName}`
}
