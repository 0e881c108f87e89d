/** How replicas of one store hear of each other's appends: a BroadcastChannel. A hint, which may be lost. */
import type { JournalNews, StoredEntry } from '@palimpsest/core'

/** Larger appends are announced by their head alone, and read from the journal. */
export const NEWS_LIMIT_BYTES: number = 64 * 1024

export class NewsChannel {
  readonly #channel: BroadcastChannel | undefined
  readonly #listeners = new Set<(news: JournalNews) => void>()

  constructor(name: string) {
    if (typeof BroadcastChannel === 'undefined') return
    this.#channel = new BroadcastChannel(name)
    this.#channel.onmessage = (event: MessageEvent<unknown>) => {
      const news = readNews(event.data)
      if (news) for (const listener of [...this.#listeners]) listener(news)
    }
  }

  announce(news: JournalNews): void {
    try {
      this.#channel?.postMessage(withinLimit(news))
    } catch {
      // Closed, or a context that is going away: others find the entries in the journal.
    }
  }

  subscribe(listener: (news: JournalNews) => void): () => void {
    // A listener of its own for every subscription, so that stopping one does not stop another of the same function.
    const own = (news: JournalNews): void => listener(news)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  close(): void {
    this.#listeners.clear()
    this.#channel?.close()
  }
}

function withinLimit(news: JournalNews): JournalNews {
  if (!news.entries) return { head: news.head }
  const sizeBytes = news.entries.reduce((sum, entry) => sum + entry.bytes.byteLength, 0)
  if (sizeBytes > NEWS_LIMIT_BYTES) return { head: news.head }
  // Views are copied, so that no more than the entry crosses.
  return { head: news.head, entries: news.entries.map(({ seq, bytes }) => ({ seq, bytes: bytes.slice() })) }
}

/** Anything of this origin may post to the channel. */
function readNews(data: unknown): JournalNews | undefined {
  const { head, entries } = (data ?? {}) as Partial<JournalNews>
  if (typeof head !== 'number' || !Number.isSafeInteger(head)) return undefined
  if (!Array.isArray(entries)) return { head }
  return entries.every(isEntry) ? { head, entries } : { head }
}

function isEntry(entry: Partial<StoredEntry> | undefined): boolean {
  return typeof entry?.seq === 'number' && entry.bytes instanceof Uint8Array
}
