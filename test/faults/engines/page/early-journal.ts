/** A journal with the fault that the harness must find: it says `appended` at once, and appends afterwards. */
import type { AppendOutcome, Journal, StoredEntry } from '@palimpsest/core'

/** Every other call waits until what was promised is done, so that nothing but the moment of the answer is wrong. */
export function earlyJournal(journal: Journal): Journal {
  let promised: Promise<unknown> = Promise.resolve()
  const append = (entries: readonly StoredEntry[]): Promise<AppendOutcome> => {
    promised = promised.then(() => journal.append(entries))
    return Promise.resolve('appended')
  }
  return new Proxy(journal, {
    get(target, key) {
      if (key === 'append') return append
      const member: unknown = Reflect.get(target, key, target)
      if (typeof member !== 'function') return member
      if (key === 'announce' || key === 'subscribe') return member.bind(target) as unknown
      return async (...args: unknown[]): Promise<unknown> => {
        await promised
        return Reflect.apply(member, target, args) as unknown
      }
    },
  })
}
