/** The file of a memory, as a person takes it out of the assistant and brings it back. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'

export async function exported(page: Page): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export…' }).click()])
  return { name: download.suggestedFilename(), bytes: new Uint8Array(await readFile(await download.path())) }
}

/** Chooses the file; the plan that is shown then has to be agreed to. */
export async function importBytes(page: Page, bytes: Uint8Array): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Import…' }).click()])
  await chooser.setFiles({ name: 'memory.sgam.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(bytes) })
}
