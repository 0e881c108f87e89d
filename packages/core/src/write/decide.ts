/** `confirm`, `reject`, `undo`, `correct`: decisions on the assertions of a fact, or on one held assertion. */
import { MemoryError } from '../errors.ts'
import { assertionsById, findRun, runsWith } from '../ledger/why.ts'
import { toFact } from '../ledger/reads.ts'
import type { Asserted } from '../memory.ts'
import { idText, objectInput } from './input.ts'
import { stateFact } from './state-fact.ts'
import type { Writer } from './writer.ts'

/** The assertions that an id means: every one in the fact; else the one with this id, held or rejected. */
function targetsOf(writer: Writer, id: unknown): readonly string[] {
  const { state, tenant } = writer
  const name = idText(id, 'id')
  const found = findRun(state, tenant, name)
  if (found !== undefined) return toFact(state, found).assertions
  if (assertionsById(state, tenant, name).length > 0) return [name]
  if (state.db.first('select 1 from erased_assertion where tenant = ? and id = ?', [tenant, name]))
    throw new MemoryError('ERASED', 'What has this id was forgotten', { field: 'id' })
  throw new MemoryError('NOT_FOUND', 'No fact and no assertion has this id', { field: 'id' })
}

/** @returns the ids of the decisions */
export function decide(writer: Writer, verdict: 'confirm' | 'reject', id: unknown): string[] {
  return targetsOf(writer, id).map(target => {
    const decision = writer.around.newId()
    writer.write({ kind: 'decision', id: decision, clock: writer.tick(), by: writer.actor, verdict, target })
    return decision
  })
}

export function undo(writer: Writer, decisionId: unknown): string {
  const target = idText(decisionId, 'decisionId')
  if (!writer.state.db.first("select 1 from decision where tenant = ? and id = ? and verdict <> 'undo'", [writer.tenant, target]))
    throw new MemoryError('NOT_FOUND', 'No decision has this id', { field: 'decisionId' })
  const id = writer.around.newId()
  writer.write({ kind: 'decision', id, clock: writer.tick(), by: writer.actor, verdict: 'undo', target })
  return id
}

/**
 * Rejects the fact and states another value over the same interval. Where one of its assertions also held at other times
 * (a bounded fact came between), the correction covers those stretches too: what was wrong there is wrong here.
 */
export function correct(writer: Writer, id: unknown, input: unknown): Asserted {
  const { state, tenant } = writer
  const fields = objectInput(input, 'correction')
  const name = idText(id, 'id')
  const found = findRun(state, tenant, name)
  if (found === undefined) {
    targetsOf(writer, name)
    throw new MemoryError('NOT_FOUND', 'No fact that holds at any time has this id; confirm or reject the held assertion', {
      field: 'id',
    })
  }
  const fact = toFact(state, found)
  const stretches = runsWith(state, tenant, fact.assertions).map(each => each.fact)
  const contested = stretches.some(each => each.contested.length > 0)
  for (const target of fact.assertions)
    writer.write({
      kind: 'decision',
      id: writer.around.newId(),
      clock: writer.tick(),
      by: writer.actor,
      verdict: 'reject',
      target,
    })
  const results = stretches.map(stretch => ({
    main: stretch.id === fact.id,
    asserted: stateFact(
      writer,
      'value',
      {
        subject: fact.subject,
        attribute: fact.attribute,
        value: fields['value'],
        validFrom: stretch.validFrom,
        validUntil: stretch.validTo,
        ...(fields['from'] === undefined ? {} : { from: fields['from'] }),
        ...(fields['quote'] === undefined ? {} : { quote: fields['quote'] }),
      },
      { settled: true },
    ),
  }))
  // A rival at the same second would otherwise compete with the correction; the correction has answered it.
  if (contested)
    for (const { asserted } of results)
      writer.write({
        kind: 'decision',
        id: writer.around.newId(),
        clock: writer.tick(),
        by: writer.actor,
        verdict: 'confirm',
        target: asserted.id,
      })
  return (results.find(result => result.main) ?? results[0])?.asserted as Asserted
}
