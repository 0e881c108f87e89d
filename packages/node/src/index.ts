/** Palimpsest under Node. */
export { openMemory, type DirectoryOptions, type EphemeralOptions } from './open-memory.ts'
export { openDirectoryJournal, type DirectoryJournalOptions } from './journal/open-directory.ts'
