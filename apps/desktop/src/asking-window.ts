/** Who asks: whoever is not our page, in the main frame, gets nothing. */
import { BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { ORIGIN } from './page-scheme.ts'

/** @throws {Error} when it is another page, a frame within ours, or a window that is gone */
export function askingWindow({ senderFrame, sender }: IpcMainInvokeEvent): BrowserWindow {
  const window = BrowserWindow.fromWebContents(sender)
  const ours = senderFrame !== null && senderFrame.parent === null && senderFrame.origin === ORIGIN
  if (!ours || window === null) throw new Error('Only the page of Palimpsest may ask')
  return window
}
