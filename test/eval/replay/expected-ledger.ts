/** Everything that was told so far, by slot: what the memory's answers are held against. */
import { normalizeName } from '@palimpsest/core'
import { canonical } from './canonical.ts'
import type { FactEvent } from './replay-file.ts'
import { holdsAt, stretches, type Statement, type Stretch } from './slot-model.ts'

interface Told extends Statement {
  /** The one value that a retraction ends; null: all of them. */
  readonly ends: string | null
}

interface Attribute {
  readonly statements: Told[]
  /** Canonical JSON of every value that was ever stated. */
  readonly values: Set<string>
}

export class ExpectedLedger {
  readonly #many: boolean
  readonly #attributes = new Map<string, Attribute>()
  #arrivals = 0

  /** @param many every attribute holds several values at once, each in a slot of its own */
  constructor(many: boolean) {
    this.#many = many
  }

  tell(fact: FactEvent): void {
    const key = attributeKey(fact.tenant, fact.subject, fact.attribute)
    const known = this.#attributes.get(key)
    const attribute = known ?? { statements: [], values: new Set<string>() }
    if (known === undefined) this.#attributes.set(key, attribute)
    const ends = fact.op === 'end'
    const named = fact.value === undefined || (ends && fact.value === null) ? null : canonical(fact.value)
    if (named !== null) attribute.values.add(named)
    attribute.statements.push({
      from: second(fact.valid_from),
      until: fact.valid_to == null ? null : second(fact.valid_to),
      value: ends ? null : named,
      ends: ends ? named : null,
      saidMs: fact.saidMs,
      arrival: this.#arrivals++,
    })
  }

  /** Canonical JSON of the values that hold at an instant, sorted. */
  at(tenant: string, subject: string, attribute: string, instant: string): string[] {
    const known = this.#attributes.get(attributeKey(tenant, subject, attribute))
    if (known === undefined) return []
    const at = second(instant)
    return this.#slots(known)
      .map(([, statements]) => holdsAt(statements, at))
      .filter(value => value !== null)
      .toSorted()
  }

  /** Every stretch of a slot; `value` names it where the attribute is many-valued. */
  history(tenant: string, subject: string, attribute: string, value?: string): Stretch[] {
    const known = this.#attributes.get(attributeKey(tenant, subject, attribute))
    if (known === undefined) return []
    return this.#slots(known, value).flatMap(([, statements]) => stretches(statements))
  }

  /** Every attribute that was ever spoken of. */
  keys(): Iterable<string> {
    return this.#attributes.keys()
  }

  /** Every slot of an attribute, by canonical JSON of its value; one with '' where it is single-valued. */
  histories(key: string): ReadonlyMap<string, readonly Stretch[]> {
    const known = this.#attributes.get(key)
    return new Map((known === undefined ? [] : this.#slots(known)).map(([value, statements]) => [value, stretches(statements)]))
  }

  #slots(attribute: Attribute, only?: string): [value: string, statements: readonly Statement[]][] {
    if (!this.#many) return [['', attribute.statements]]
    const values = only === undefined ? [...attribute.values] : [only]
    return values.map(value => [value, attribute.statements.filter(statement => concerns(statement, value))])
  }
}

function concerns(statement: Told, value: string): boolean {
  return statement.value === null ? statement.ends === null || statement.ends === value : statement.value === value
}

export function attributeKey(tenant: string, subject: string, attribute: string): string {
  return JSON.stringify([tenant, normalizeName(subject), normalizeName(attribute)])
}

export function second(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000)
}
