/** The bridge: two dialogs, the files of the mirror, and nothing of Electron or Node besides. */
import type { PalimpsestDesktop } from '@palimpsest/assistant/desktop-bridge'
import { contextBridge, ipcRenderer } from 'electron'
import { OPEN_FILE, SAVE_FILE } from './channels.ts'
import { APPEND_MIRROR, CLOSE_MIRROR, CREATE_MIRROR, LIST_MIRROR, READ_MIRROR, REMOVE_MIRROR } from './mirror-channels.ts'

type Mirror = PalimpsestDesktop['mirror']

/** The name of this page, another one after every reload: what the one before held is let go. */
const page = crypto.randomUUID()

const bridge: PalimpsestDesktop = {
  saveFile: (suggestedName, bytes) => ipcRenderer.invoke(SAVE_FILE, suggestedName, bytes) as Promise<boolean>,
  openFile: () => ipcRenderer.invoke(OPEN_FILE) as ReturnType<PalimpsestDesktop['openFile']>,
  mirror: {
    list: store => ipcRenderer.invoke(LIST_MIRROR, page, store) as ReturnType<Mirror['list']>,
    read: (store, name) => ipcRenderer.invoke(READ_MIRROR, page, store, name) as ReturnType<Mirror['read']>,
    create: (store, name) => ipcRenderer.invoke(CREATE_MIRROR, page, store, name) as ReturnType<Mirror['create']>,
    append: (file, bytes, flush) => ipcRenderer.invoke(APPEND_MIRROR, page, file, bytes, flush) as ReturnType<Mirror['append']>,
    closeFile: file => ipcRenderer.invoke(CLOSE_MIRROR, page, file) as ReturnType<Mirror['closeFile']>,
    remove: (store, name, sizeBytes) =>
      ipcRenderer.invoke(REMOVE_MIRROR, page, store, name, sizeBytes) as ReturnType<Mirror['remove']>,
  },
}

contextBridge.exposeInMainWorld('palimpsestDesktop', bridge)
