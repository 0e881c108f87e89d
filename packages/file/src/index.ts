/** The memory file of Palimpsest: facts with their provenance, out and in again. */
export { exportFile, type ExportOptions } from './export-file.ts'
export { importFile, verifyFile, type ImportOptions, type IncomingFile, type VerifiedFile } from './import-file.ts'
export { FORMAT_VERSION, MAX_LINE_BYTES, type FileFooter, type FileHeader } from './format.ts'
export type { FileSource } from './lines.ts'
