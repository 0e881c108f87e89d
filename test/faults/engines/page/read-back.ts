/** Everything that the store holds, through the public API. */
import type { ReadBack, Stored } from '../tab-protocol.ts'
import { look } from './open-store.ts'
import type { OpenStore } from './open-store.ts'

const PAGE = 1_000
/** Longer than any part's name. */
const KEPT = 48

export async function readBack(store: OpenStore): Promise<ReadBack> {
  const mine = store.memory.tenant('home')
  const facts: Stored[] = []
  for (let after: string | null = ''; after !== null;) {
    const page = await mine.facts({ history: true, limit: PAGE, ...(after === '' ? {} : { after }) })
    facts.push(...page.facts.map(({ id, value }) => stored(id, String(value))))
    after = page.next
  }
  const episodes: Stored[] = []
  for (let after: string | null = ''; after !== null;) {
    const page = await mine.episodes({ limit: PAGE, ...(after === '' ? {} : { after }) })
    episodes.push(...page.episodes.map(({ id, text }) => stored(id, text)))
    after = page.next
  }
  const [count] = await store.memory.query('select count(*) as n from memory_facts')
  const integrity = await store.memory.query('select integrity_check as said from pragma_integrity_check')
  return {
    facts,
    episodes,
    countedFacts: Number(count?.['n']),
    integrity: integrity.map(row => String(row['said'])).join('; '),
    health: await look(store),
  }
}

function stored(id: string, text: string): Stored {
  return { id, text: text.slice(0, KEPT), length: text.length }
}
