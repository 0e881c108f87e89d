/** The bridge: exactly two calls, and nothing of Electron or Node besides. */
import type { PalimpsestDesktop } from '@palimpsest/assistant/desktop-bridge'
import { contextBridge, ipcRenderer } from 'electron'
import { OPEN_FILE, SAVE_FILE } from './channels.ts'

const bridge: PalimpsestDesktop = {
  saveFile: (suggestedName, bytes) => ipcRenderer.invoke(SAVE_FILE, suggestedName, bytes) as Promise<boolean>,
  openFile: () => ipcRenderer.invoke(OPEN_FILE) as ReturnType<PalimpsestDesktop['openFile']>,
}

contextBridge.exposeInMainWorld('palimpsestDesktop', bridge)
