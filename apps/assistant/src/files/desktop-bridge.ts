/** What the desktop shell gives to this page: two dialogs, files for the mirror of its memory, and nothing else. */
import type { MirrorBridge } from '@palimpsest/browser'

export interface PalimpsestDesktop {
  /** Asks where to save, and saves. False when the person thinks better of it. */
  saveFile(suggestedName: string, bytes: Uint8Array): Promise<boolean>
  /** Asks which file to open, and reads it. Undefined when the person thinks better of it. */
  openFile(): Promise<OpenedFile | undefined>
  readonly mirror: MirrorBridge
}

export interface OpenedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

declare global {
  interface Window {
    /** Absent in a browser. */
    readonly palimpsestDesktop?: PalimpsestDesktop
  }
}
