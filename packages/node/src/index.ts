export { openDirectoryJournal } from './journal/open-directory.ts'
export type { DirectoryJournalOptions } from './journal/open-directory.ts'
