/**
 * The page's calls for the mirror, answered.
 *
 * A window shows one page after another (a reload), and each is known by the name that its preload took. What a page held is
 * let go when the next page of its window asks for the first time, and when the window is closed or its process has crashed.
 */
import { join } from 'node:path'
import { app, ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { askingWindow } from './asking-window.ts'
import { toAnswer, type MirrorAnswer } from './mirror-answer.ts'
import {
  APPEND_MIRROR,
  CLOSE_MIRROR,
  CREATE_MIRROR,
  LIST_MIRROR,
  READ_MIRROR,
  REMOVE_MIRROR,
  checkedAppend,
  checkedFile,
  checkedName,
  checkedPage,
  checkedSize,
  checkedStore,
} from './mirror-channels.ts'
import { MirrorFiles } from './mirror-files.ts'

export function answerMirror(): void {
  const files = new MirrorFiles(join(app.getPath('userData'), 'mirror'))
  /** The page that each window shows. */
  const pages = new Map<WebContents, string>()
  /** Pages whose window shows another one: what they sent last arrives, and is refused. */
  const gone = new Set<string>()

  const leave = (contents: WebContents): void => {
    const page = pages.get(contents)
    if (page === undefined) return
    pages.delete(contents)
    gone.add(page)
    files.release(page).catch((error: unknown) => console.error(error))
  }
  const arrive = (contents: WebContents, page: string): void => {
    if (gone.has(page)) throw new Error('This page is gone')
    if (pages.get(contents) === page) return
    if (pages.has(contents)) leave(contents)
    else {
      contents.once('destroyed', () => leave(contents))
      contents.on('render-process-gone', () => leave(contents))
    }
    pages.set(contents, page)
  }
  const answer = (channel: string, work: (page: string, ...args: unknown[]) => Promise<unknown>): void => {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, name: unknown, ...args: unknown[]): Promise<MirrorAnswer> => {
      askingWindow(event)
      const page = checkedPage(name)
      arrive(event.sender, page)
      return toAnswer(() => work(page, ...args))
    })
  }

  answer(LIST_MIRROR, (_page, store) => files.list(checkedStore(store)))
  answer(READ_MIRROR, (_page, store, name) => files.read(checkedStore(store), checkedName(name)))
  answer(CREATE_MIRROR, (page, store, name) => files.create(page, checkedStore(store), checkedName(name)))
  answer(APPEND_MIRROR, (page, file, content, toDisk) => {
    const { bytes, flush } = checkedAppend(content, toDisk)
    return files.append(page, checkedFile(file), bytes, flush)
  })
  answer(CLOSE_MIRROR, (page, file) => files.closeFile(page, checkedFile(file)))
  answer(REMOVE_MIRROR, (_page, store, name, sizeBytes) =>
    files.remove(checkedStore(store), checkedName(name), checkedSize(sizeBytes)),
  )
}
