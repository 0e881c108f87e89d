/** A correction by hand leaves its own evidence: what the person entered, and when. */
import type { Fact } from '@palimpsest/core'
import type { Home } from '../home/home.ts'
import { clause } from '../talk/clauses.ts'

export async function correctFact({ person, session, timeZone }: Home, fact: Fact, value: Fact['value']): Promise<void> {
  const text = `Corrected by hand: ${clause({ ...fact, value })}`
  const from = await person.record({ text, author: 'user', kind: 'confirmation', session, timeZone })
  await person.correct(fact.id, { value, from })
}
