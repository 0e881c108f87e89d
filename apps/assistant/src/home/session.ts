/** One talk is one session: it outlives a reload of the tab, and two tabs have two. */

const KEY = 'palimpsest.session'

export function talkSession(): string {
  const kept = readKept()
  if (kept !== null) return kept
  const session = `talk-${crypto.randomUUID()}`
  try {
    sessionStorage.setItem(KEY, session)
  } catch {
    // A browser may refuse; then a reload begins another session, and nothing else is lost.
  }
  return session
}

function readKept(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
