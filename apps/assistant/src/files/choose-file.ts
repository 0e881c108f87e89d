/** Asks the person for a file: by the desktop's dialog, or by the browser's. */
import './desktop-bridge.ts'
import type { OpenedFile } from './desktop-bridge.ts'

/** Undefined when the person thought better of it. */
export async function chooseFile(): Promise<OpenedFile | undefined> {
  if (window.palimpsestDesktop !== undefined) return window.palimpsestDesktop.openFile()
  const file = await pick()
  return file === undefined ? undefined : { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}

function pick(): Promise<File | undefined> {
  return new Promise(resolve => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.jsonl'
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
    input.click()
  })
}
