/** What a caller names to be forgotten: exactly one thing, by exact name. Empty is an error, never everything. */
import { MemoryError } from '../errors.ts'
import { isErasedEpisode } from '../ledger/episode-reads.ts'
import { toFact } from '../ledger/reads.ts'
import { storedAssertions } from '../ledger/rows.ts'
import { findRun } from '../ledger/why.ts'
import { nameKey } from '../records/name.ts'
import { idText, objectInput } from '../write/input.ts'
import type { Writer } from '../write/writer.ts'

export type Scope =
  | { readonly kind: 'fact'; readonly assertions: readonly string[] }
  | { readonly kind: 'slot'; readonly subject: string; readonly attribute: string }
  | { readonly kind: 'subject'; readonly subject: string }
  | { readonly kind: 'episodes'; readonly ids: readonly string[]; readonly session: string | undefined }
  | { readonly kind: 'everything' }

const FORMS: readonly (readonly string[])[] = [
  ['fact'],
  ['subject'],
  ['subject', 'attribute'],
  ['episode'],
  ['session'],
  ['tenant'],
]

/** @throws {MemoryError} EMPTY_SCOPE, INVALID_*, NOT_FOUND, ERASED */
export function readScope(writer: Writer, input: unknown): Scope {
  const fields = objectInput(input, 'scope')
  const given = Object.keys(fields).filter(name => fields[name] !== undefined)
  if (given.length === 0) throw new MemoryError('EMPTY_SCOPE', 'The scope names nothing to forget', { field: 'scope' })
  if (!FORMS.some(form => form.length === given.length && form.every(name => given.includes(name))))
    throw new MemoryError(
      'INVALID_ARGUMENT',
      'A scope is one of fact, subject, subject with attribute, episode, session, or tenant: true',
      { field: 'scope' },
    )
  const { state, tenant } = writer
  if (given.includes('fact')) return { kind: 'fact', assertions: assertionsToForget(writer, idText(fields['fact'], 'fact')) }
  if (given.includes('episode')) {
    const id = idText(fields['episode'], 'episode')
    if (isErasedEpisode(state, tenant, id))
      throw new MemoryError('ERASED', 'This episode was forgotten already', { field: 'episode' })
    const there = state.db.first('select 1 from episode_id where tenant = ? and id = ?', [tenant, id])
    if (!there) throw new MemoryError('NOT_FOUND', 'No episode has this id', { field: 'episode' })
    return { kind: 'episodes', ids: [id], session: undefined }
  }
  if (given.includes('session')) {
    const session = idText(fields['session'], 'session')
    const ids = state.db
      .all<[string]>(
        'select distinct e.id from episode x join episode_id e on e.nr = x.ref where x.tenant = ? and x.session = ? order by x.at_ms, x.clock',
        [tenant, session],
      )
      .map(([id]) => id)
    if (ids.length === 0) throw new MemoryError('NOT_FOUND', 'No episode belongs to this session', { field: 'session' })
    return { kind: 'episodes', ids, session }
  }
  if (given.includes('tenant')) {
    if (fields['tenant'] !== true)
      throw new MemoryError('INVALID_ARGUMENT', 'tenant must be true: it means the whole tenant of this handle', {
        field: 'tenant',
      })
    return { kind: 'everything' }
  }
  const subject = nameKey(fields['subject'], 'subject')
  const attribute = fields['attribute'] === undefined ? undefined : nameKey(fields['attribute'], 'attribute')
  const there = state.db.first(
    'select 1 from assertion a join slot s on s.nr = a.slot where s.tenant = ?1 and s.subject = ?2 and (?3 is null or s.attribute = ?3) limit 1',
    [tenant, subject, attribute ?? null],
  )
  if (!there) throw new MemoryError('NOT_FOUND', 'Nothing was ever said of this', { field: 'subject' })
  return attribute === undefined ? { kind: 'subject', subject } : { kind: 'slot', subject, attribute }
}

/** What an id of a fact or an assertion means to `forget`. */
function assertionsToForget(writer: Writer, id: string): readonly string[] {
  const { state, tenant } = writer
  const found = findRun(state, tenant, id)
  if (found !== undefined) return toFact(state, found).assertions
  if (storedAssertions(state, 'a.tenant = ? and a.id = ?', [tenant, id]).length > 0) return [id]
  if (state.db.first('select 1 from erased_assertion where tenant = ? and id = ?', [tenant, id]))
    throw new MemoryError('ERASED', 'What has this id was forgotten already', { field: 'fact' })
  throw new MemoryError('NOT_FOUND', 'No fact and no assertion has this id', { field: 'fact' })
}
