/**
 * What a memory holds after some writes, worked out the slow way: a list of what was said, and for every stretch of time
 * who of them holds. It shares nothing with the ledger. Every value is said once, so nothing coalesces by chance.
 *
 * Times are hours: statements begin at whole ones and end at half ones, no two begin together.
 */
export interface Said {
  readonly id: string
  readonly subject: string
  readonly attribute: string
  /** undefined: nothing holds. */
  readonly value: string | undefined
  readonly from: number
  readonly until: number | null
  readonly source: string | undefined
}

interface Stretch {
  readonly said: Said
  readonly from: number
  readonly to: number | null
}

const START: number = Date.parse('2026-01-01T00:00:00Z')

export const instant = (hour: number): string => new Date(START + hour * 3_600_000).toISOString().replace('.000Z', 'Z')

const interval = (from: number, to: number | null): string => `[${instant(from)}, ${to === null ? '…' : instant(to)})`

export class Model {
  readonly episodes: Map<string, string> = new Map()
  said: Said[] = []
  readonly rejected: Set<string> = new Set()
  readonly decisions: string[] = []
  readonly gone: string[] = []

  decide(verdict: 'confirm' | 'reject', target: string): void {
    this.decisions.push(`${verdict} ${target}`)
    if (verdict === 'reject') this.rejected.add(target)
  }

  /** What the target held, another value holds instead. */
  correct(target: string, value: string): void {
    const { subject, attribute } = this.said.find(({ id }) => id === target) as Said
    const held = this.#stretches(subject, attribute).filter(({ said }) => said.id === target)
    this.decide('reject', target)
    for (const [i, { from, to }] of held.entries())
      this.said.push({ id: `${value}#${i}`, subject, attribute, value, from, until: to, source: undefined })
  }

  forgetFact(id: string): void {
    this.gone.push(`gone ${id}`)
    this.said = this.said.filter(said => said.id !== id)
  }

  forgetEpisode(id: string): void {
    this.episodes.delete(id)
    this.gone.push(`gone ${id}`)
    for (const said of this.said.filter(({ source }) => source === id)) this.forgetFact(said.id)
  }

  /** Everything that is stored, a line each. */
  stored(): string[] {
    return [
      ...[...this.episodes].map(([id, text]) => `episode ${id}: ${text}`),
      ...this.said.map(said => lineOf(said.subject, said.attribute, said.value, interval(said.from, said.until))),
      ...this.decisions,
      ...this.gone,
    ].toSorted()
  }

  /** Every fact that holds at any time, a line each. */
  facts(): string[] {
    const slots = new Map(this.said.map(({ subject, attribute }) => [`${subject}.${attribute}`, { subject, attribute }]))
    return [...slots.values()]
      .flatMap(({ subject, attribute }) => this.#stretches(subject, attribute))
      .flatMap(({ said, from, to }) =>
        said.value === undefined ? [] : [lineOf(said.subject, said.attribute, said.value, interval(from, to))],
      )
      .toSorted()
  }

  /** The value that holds in a slot at an hour. */
  valueAt(subject: string, attribute: string, hour: number): string | undefined {
    return this.#holderAt(subject, attribute, hour)?.value
  }

  #holderAt(subject: string, attribute: string, hour: number): Said | undefined {
    return this.said
      .filter(said => said.subject === subject && said.attribute === attribute && !this.rejected.has(said.id))
      .filter(({ from, until }) => from <= hour && (until === null || hour < until))
      .toSorted((a, b) => b.from - a.from)[0]
  }

  /** From change to change, who holds; the same value goes on. */
  #stretches(subject: string, attribute: string): Stretch[] {
    const slot = this.said.filter(said => said.subject === subject && said.attribute === attribute)
    const changes = [...new Set(slot.flatMap(({ from, until }) => (until === null ? [from] : [from, until])))].toSorted(
      (a, b) => a - b,
    )
    const stretches: Stretch[] = []
    for (const [i, from] of changes.entries()) {
      const said = this.#holderAt(subject, attribute, from)
      if (said === undefined) continue
      const to = changes[i + 1] ?? null
      const last = stretches.at(-1)
      if (last?.to === from && last.said.value === said.value) stretches[stretches.length - 1] = { ...last, to }
      else stretches.push({ said, from, to })
    }
    return stretches
  }
}

export function lineOf(subject: string, attribute: string, value: string | undefined, when: string): string {
  return `${subject}.${attribute} ${value === undefined ? 'ends' : `= ${value}`} ${when}`
}
