/** Tells the worker when its page goes away and comes back: the worker itself hears none of it. */
import type { PageMoment } from '../wire.ts'

/** `freeze` and `resume` are Chromium's; the back/forward cache is `pagehide` and `pageshow` everywhere. */
const MOMENTS: readonly (readonly [target: 'window' | 'document', event: string, moment: PageMoment])[] = [
  ['window', 'pagehide', 'away'],
  ['window', 'pageshow', 'back'],
  ['document', 'freeze', 'away'],
  ['document', 'resume', 'back'],
]

/** Returns the way to stop. Outside a window (a worker in a worker) there is nothing to tell. */
export function forwardPageMoments(tell: (moment: PageMoment) => void): () => void {
  if (typeof window === 'undefined' || typeof document === 'undefined') return () => {}
  const stop = new AbortController()
  const { signal } = stop
  for (const [target, event, moment] of MOMENTS) {
    const on: EventTarget = target === 'window' ? window : document
    on.addEventListener(event, () => tell(moment), { signal })
  }
  const onVisibility = (): void => tell(document.visibilityState === 'hidden' ? 'away' : 'back')
  document.addEventListener('visibilitychange', onVisibility, { signal })
  return () => stop.abort()
}
