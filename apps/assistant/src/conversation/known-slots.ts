/** What memory has a word for, so that a question is read against it. Kept until memory changes. */
import type { KnownSlot } from '@palimpsest/extract'
import type { Home } from '../home/home.ts'

/** Names beyond these are rare, and a question that needs one of them is answered with "I know nothing". */
const MOST = 1000

const kept = new WeakMap<Home, Promise<readonly KnownSlot[]>>()

export function knownSlots(home: Home): Promise<readonly KnownSlot[]> {
  let known = kept.get(home)
  if (known === undefined) {
    known = home.person.facts({ history: true, limit: MOST }).then(({ facts }) => facts)
    kept.set(home, known)
    const stop = home.memory.on(() => {
      kept.delete(home)
      stop()
    })
  }
  return known
}
