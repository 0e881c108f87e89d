/**
 * The desktop shell: one window, one page, two dialogs, and the files of its mirror.
 *
 * `app.whenReady()` is not awaited at the top level: an ES module that does so is never finished loading, and Electron
 * waits for that before it becomes ready.
 */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, session } from 'electron'
import { answerMirror } from './answer-mirror.ts'
import { answerFileDialogs } from './file-dialogs.ts'
import { registerScheme, serveFolder } from './page-scheme.ts'
import { denyPermissions, keepAtHome, openWindow } from './window.ts'

const here = dirname(fileURLToPath(import.meta.url))
const page = resolve(here, '../../assistant/dist')

// Tests keep their memory away from a person's own.
const userData = process.env['PALIMPSEST_USER_DATA']
if (userData) app.setPath('userData', resolve(userData))

registerScheme()

// Two processes on one profile would write over each other's files.
if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => showWindow())
  app.on('activate', () => showWindow())
  app.on('web-contents-created', (_event, contents) => keepAtHome(contents))
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.whenReady().then(start, (error: unknown) => {
    console.error(error)
    app.exit(1)
  })
} else {
  app.quit()
}

function start(): void {
  denyPermissions(session.defaultSession)
  serveFolder(page)
  answerFileDialogs()
  answerMirror()
  openWindow(here)
}

/** The window there is, in front; a new one where it was closed. */
function showWindow(): void {
  if (!app.isReady()) return
  const [window] = BrowserWindow.getAllWindows()
  if (window === undefined) {
    openWindow(here)
    return
  }
  if (window.isMinimized()) window.restore()
  window.focus()
}
