/** Hands a file to the person: by the desktop's dialog, or as a download. */
import './desktop-bridge.ts'

/** @returns false when the person thought better of it; a browser does not tell. */
export async function saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (window.palimpsestDesktop !== undefined) return window.palimpsestDesktop.saveFile(name, bytes)
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoked at once, a large download would be cut off in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return true
}
