/** The one window. It shows our page and can be led to no other. */
import { join } from 'node:path'
import { BrowserWindow, nativeTheme, type Session, type WebContents } from 'electron'
import { ORIGIN } from './page-scheme.ts'

const PAPER = { light: '#faf8f3', dark: '#171614' }

export function openWindow(folder: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1180,
    height: 800,
    minWidth: 360,
    minHeight: 480,
    show: false,
    title: 'Palimpsest',
    backgroundColor: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(folder, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => window.show())
  void window.loadURL(`${ORIGIN}/`)
  return window
}

/** Neither a link nor a script leads anywhere else, and no other window opens. */
export function keepAtHome(contents: WebContents): void {
  contents.on('will-navigate', event => {
    if (event.url !== `${ORIGIN}/`) event.preventDefault()
  })
  contents.on('will-redirect', event => event.preventDefault())
  contents.on('will-attach-webview', event => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** The page needs no camera, place or notification, and nothing from a network. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}
