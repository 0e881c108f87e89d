/** The two questions of the page, answered. Whoever is not our page, in the main frame, gets nothing. */
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { dialog, ipcMain } from 'electron'
import { askingWindow } from './asking-window.ts'
import { MAX_FILE_BYTES, OPEN_FILE, SAVE_FILE, checkedSave } from './channels.ts'

const FILTERS = [{ name: 'Palimpsest memory', extensions: ['jsonl'] }]

export function answerFileDialogs(): void {
  ipcMain.handle(SAVE_FILE, async (event, suggestedName: unknown, content: unknown): Promise<boolean> => {
    const window = askingWindow(event)
    const { name, bytes } = checkedSave(suggestedName, content)
    const { canceled, filePath } = await dialog.showSaveDialog(window, {
      title: 'Export memory',
      defaultPath: name,
      filters: FILTERS,
    })
    if (canceled || filePath === '') return false
    // Written beside and renamed, so that no half file stands in place of an earlier whole one.
    const unfinished = `${filePath}.${process.pid}.part`
    await writeFile(unfinished, bytes, { mode: 0o600 })
    await rename(unfinished, filePath)
    return true
  })
  ipcMain.handle(OPEN_FILE, async (event): Promise<{ name: string; bytes: Uint8Array } | undefined> => {
    const window = askingWindow(event)
    const { canceled, filePaths } = await dialog.showOpenDialog(window, {
      title: 'Import memory',
      filters: FILTERS,
      properties: ['openFile'],
    })
    const [path] = filePaths
    if (canceled || path === undefined) return undefined
    const { size } = await stat(path)
    if (size > MAX_FILE_BYTES) throw new RangeError('The file is over 1 GiB')
    return { name: basename(path), bytes: new Uint8Array(await readFile(path)) }
  })
}
