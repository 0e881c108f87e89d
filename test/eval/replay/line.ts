/**
 * One line of a neutral file: an object with exactly one of these keys.
 *
 * | key        | what it holds                                                                                           |
 * |------------|---------------------------------------------------------------------------------------------------------|
 * | `episode`  | raw input: id, tenant, session, at, speaker, text                                                       |
 * | `fact`     | tenant, subject, attribute, value, valid_from, valid_to, the id of its episode, and an op               |
 * | `question` | subject, attribute and as_of where it asks for a slot, gold_value and evidence: ids of episodes         |
 *
 * op: `set` (single-valued), `end` (nothing holds from then), `interval` (many-valued, with its own end,
 * where one is known), `add` (many-valued).
 * Other keys of the inner object are somebody else's and ignored.
 */
import { z } from 'zod'

const instant = z.iso.datetime({ offset: true })
const name = z.string().min(1)

const episodeLine = z.object({
  id: name,
  tenant: name,
  session: z.string().nullish(),
  at: instant,
  speaker: z.string().nullish(),
  text: z.string(),
})

const factLine = z
  .object({
    tenant: name,
    subject: name,
    attribute: name,
    value: z.json().optional(),
    valid_from: instant,
    valid_to: instant.nullish(),
    episode: name,
    op: z.enum(['set', 'end', 'interval', 'add']),
  })
  .refine(fact => fact.op === 'end' || fact.value !== undefined, { path: ['value'], error: 'is missing' })
  .refine(fact => fact.valid_to == null || Date.parse(fact.valid_to) > Date.parse(fact.valid_from), {
    path: ['valid_to'],
    error: 'is not after valid_from',
  })

const questionLine = z.object({
  id: name,
  tenant: name,
  subject: name.nullish(),
  attribute: name.nullish(),
  gold_value: z.json(),
  evidence: z.array(z.string()),
  as_of: instant,
})

export type EpisodeLine = z.infer<typeof episodeLine>
export type FactLine = z.infer<typeof factLine>
export type QuestionLine = z.infer<typeof questionLine>

const SHAPES = { episode: episodeLine, fact: factLine, question: questionLine } as const

export type Line =
  | { readonly kind: 'episode'; readonly body: EpisodeLine }
  | { readonly kind: 'fact'; readonly body: FactLine }
  | { readonly kind: 'question'; readonly body: QuestionLine }

/** Why a line is not what the table says, in a sentence for people. */
export class MalformedLine extends Error {
  override readonly name: string = 'MalformedLine'
}

/** @throws {MalformedLine} */
export function parseLine(text: string): Line {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new MalformedLine(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new MalformedLine('not an object')
  const [key, ...more] = Object.keys(parsed)
  if (more.length > 0 || (key !== 'episode' && key !== 'fact' && key !== 'question'))
    throw new MalformedLine('must have exactly one key: episode, fact or question')
  const result = SHAPES[key].safeParse((parsed as Record<string, unknown>)[key])
  if (result.success) return { kind: key, body: result.data } as Line
  const reasons = result.error.issues.map(issue => `${[key, ...issue.path].join('.')}: ${issue.message}`)
  throw new MalformedLine(reasons.join('; '))
}
