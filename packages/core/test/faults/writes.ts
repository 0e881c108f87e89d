/**
 * Writes at random, each with signs of its own: episodes, values and targets that no other write has. What they do is said
 * twice, once to the memory and once to the model.
 */
import type { MemoryRecord, TenantMemory, WriteOptions } from '../../src/index.ts'
import type { Random } from '../../../../test/support/random.ts'
import { open } from '../memory/open.ts'
import { instant, lineOf, type Model } from './model.ts'

export interface Write {
  readonly name: string
  /** Any of these lines among what is stored: the write is there. */
  readonly signs: readonly string[]
  /** The writes that it rests on: with one of them missing it may be refused. */
  readonly needs: readonly Write[]
  /** Under a key it can be repeated when nobody knows what became of it. */
  readonly key: string | undefined
  /** What has to be there before it is asked for. */
  prepare(): Promise<unknown>
  run(mine: TenantMemory, options: WriteOptions): Promise<unknown>
  apply(model: Model): void
}

const prepare = (): Promise<void> => Promise.resolve()

interface Target {
  readonly id: string
  readonly by: Write
}

const SUBJECTS = ['mira', 'otto']
const ATTRIBUTES = ['city', 'team']

/** Makes writes one after the other, each possible where all before it were done. */
export class Writing {
  readonly #random: Random
  #count = 0
  /** Episodes that no statement rests on yet or that are still there, statements that nobody has decided on. */
  readonly #episodes: Target[] = []
  readonly #statements: Target[] = []
  readonly #hours: number[]

  constructor(random: Random) {
    this.#random = random
    this.#hours = Array.from({ length: 400 }, (_, i) => i)
  }

  next(): Write {
    const makers = [
      () => this.#record(),
      () => this.#assert(),
      () => this.#assert(),
      () => this.#retract(),
      () => this.#batch(),
      () => this.#merge(),
      () => this.#decide('confirm'),
      () => this.#decide('reject'),
      () => this.#correct(),
      () => this.#forgetFact(),
      () => this.#forgetEpisode(),
    ]
    for (;;) {
      const write = makers[this.#random(makers.length)]?.()
      if (write !== undefined) return write
    }
  }

  #number(): number {
    return (this.#count += 1)
  }

  /** Not before there is one. */
  #take(targets: Target[]): Target | undefined {
    return targets.splice(this.#random(Math.max(1, targets.length)), 1)[0]
  }

  /** Whole hours, none twice and in no order, so that statements arrive late too. */
  #hour(): number {
    return this.#hours.splice(this.#random(Math.min(60, this.#hours.length)), 1)[0] as number
  }

  #slot(): { readonly subject: string; readonly attribute: string } {
    return { subject: SUBJECTS[this.#random(2)] as string, attribute: ATTRIBUTES[this.#random(2)] as string }
  }

  #key(n: number): string | undefined {
    return n % 3 === 0 ? `key ${n}` : undefined
  }

  #record(): Write {
    const n = this.#number()
    const [id, text] = [`e${n}`, `text ${n}`]
    const write: Write = {
      name: `record ${id}`,
      signs: [`episode ${id}: ${text}`, `gone ${id}`],
      needs: [],
      key: this.#key(n),
      prepare,
      run: (mine, options) => mine.record({ id, text, author: 'user', at: instant(n) }, options),
      apply: model => void model.episodes.set(id, text),
    }
    this.#episodes.push({ id, by: write })
    return write
  }

  #assert(): Write {
    const n = this.#number()
    const [id, value, slot, from] = [`a${n}`, `v${n}`, this.#slot(), this.#hour()]
    const until = this.#random(3) === 0 ? from + 1.5 + this.#random(20) : null
    const source = this.#random(3) === 0 ? this.#episodes.at(-1) : undefined
    const line = lineOf(slot.subject, slot.attribute, value, whenOf(from, until))
    const write: Write = {
      name: `assert ${id}`,
      signs: [line, `gone ${id}`],
      needs: source === undefined ? [] : [source.by],
      key: this.#key(n),
      prepare,
      run: (mine, options) =>
        mine.assert(
          {
            id,
            ...slot,
            value,
            validFrom: instant(from),
            ...(until === null ? {} : { validUntil: instant(until) }),
            ...(source === undefined ? {} : { from: source.id }),
          },
          options,
        ),
      apply: model => void model.said.push({ id, ...slot, value, from, until, source: source?.id }),
    }
    // What rests on an episode goes with it: it is no target of its own.
    if (source === undefined) this.#statements.push({ id, by: write })
    return write
  }

  #retract(): Write {
    const n = this.#number()
    const [id, slot, from] = [`r${n}`, this.#slot(), this.#hour()]
    return {
      name: `retract ${id}`,
      signs: [lineOf(slot.subject, slot.attribute, undefined, whenOf(from, null))],
      needs: [],
      key: this.#key(n),
      prepare,
      run: (mine, options) => mine.retract({ id, ...slot, validFrom: instant(from) }, options),
      apply: model => void model.said.push({ id, ...slot, value: undefined, from, until: null, source: undefined }),
    }
  }

  /** An episode and two statements that rest on it: all or nothing. */
  #batch(): Write {
    const n = this.#number()
    const [episode, text] = [`e${n}`, `batch ${n}`]
    const said = [0, 1].map(i => ({ id: `a${n}.${i}`, ...this.#slot(), value: `v${n}.${i}`, hour: this.#hour() }))
    const lines = said.map(({ subject, attribute, value, hour }) => lineOf(subject, attribute, value, whenOf(hour, null)))
    const write: Write = {
      name: `batch ${episode}`,
      signs: [`episode ${episode}: ${text}`, `gone ${episode}`, ...lines, ...said.map(({ id }) => `gone ${id}`)],
      needs: [],
      key: this.#key(n),
      prepare,
      run: (mine, options) =>
        mine.batch(batch => {
          batch.record({ id: episode, text, author: 'tool', at: instant(n) })
          for (const { hour, ...input } of said) batch.assert({ ...input, validFrom: instant(hour), from: episode })
        }, options),
      apply: model => {
        model.episodes.set(episode, text)
        for (const { hour, ...input } of said) model.said.push({ ...input, from: hour, until: null, source: episode })
      },
    }
    this.#episodes.push({ id: episode, by: write })
    return write
  }

  /** The records of another memory. */
  #merge(): Write {
    const n = this.#number()
    const [episode, id, text, value] = [`e${n}`, `a${n}`, `from elsewhere ${n}`, `m${n}`]
    const [slot, hour] = [this.#slot(), this.#hour()]
    let records: readonly MemoryRecord[] = []
    const write: Write = {
      name: `merge ${episode}`,
      signs: [`episode ${episode}: ${text}`, lineOf(slot.subject, slot.attribute, value, whenOf(hour, null)), `gone ${episode}`],
      needs: [],
      key: this.#key(n),
      prepare: async () => {
        records = await recordsOfAnother(async other => {
          await other.record({ id: episode, text, author: 'user', at: instant(n) })
          await other.assert({ id, ...slot, value, validFrom: instant(hour), from: episode })
        })
      },
      run: (mine, options) => mine.merge(records, options),
      apply: model => {
        model.episodes.set(episode, text)
        model.said.push({ id, ...slot, value, from: hour, until: null, source: episode })
      },
    }
    this.#episodes.push({ id: episode, by: write })
    return write
  }

  #decide(verdict: 'confirm' | 'reject'): Write | undefined {
    const target = this.#take(this.#statements)
    if (target === undefined) return undefined
    const n = this.#number()
    return {
      name: `${verdict} ${target.id}`,
      signs: [`${verdict} ${target.id}`],
      needs: [target.by],
      key: this.#key(n),
      prepare,
      run: (mine, options) => mine[verdict](target.id, options),
      apply: model => model.decide(verdict, target.id),
    }
  }

  #correct(): Write | undefined {
    const target = this.#take(this.#statements)
    if (target === undefined) return undefined
    const n = this.#number()
    const value = `c${n}`
    return {
      name: `correct ${target.id} to ${value}`,
      signs: [`reject ${target.id}`],
      needs: [target.by],
      key: this.#key(n),
      prepare,
      run: (mine, options) => mine.correct(target.id, { value }, options),
      apply: model => model.correct(target.id, value),
    }
  }

  #forgetFact(): Write | undefined {
    const target = this.#take(this.#statements)
    if (target === undefined) return undefined
    this.#number()
    return {
      name: `forget ${target.id}`,
      signs: [`gone ${target.id}`],
      needs: [target.by],
      key: undefined,
      prepare,
      run: async mine => (await mine.forget({ fact: target.id })).apply(),
      apply: model => model.forgetFact(target.id),
    }
  }

  #forgetEpisode(): Write | undefined {
    const target = this.#take(this.#episodes)
    if (target === undefined) return undefined
    this.#number()
    return {
      name: `forget ${target.id}`,
      signs: [`gone ${target.id}`],
      needs: [target.by],
      key: undefined,
      prepare,
      run: async mine => (await mine.forget({ episode: target.id })).apply(),
      apply: model => model.forgetEpisode(target.id),
    }
  }
}

const whenOf = (from: number, until: number | null): string => `[${instant(from)}, ${until === null ? '…' : instant(until)})`

let others = 0
let elsewhere: ReturnType<typeof open> | undefined

/** One memory is enough: each gets a tenant of its own in it. */
async function recordsOfAnother(live: (mine: TenantMemory) => Promise<void>): Promise<readonly MemoryRecord[]> {
  const mine = (await (elsewhere ??= open())).tenant(`other ${(others += 1)}`, { actor: 'user' })
  await live(mine)
  return mine.records()
}
