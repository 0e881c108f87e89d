/** A conversation: the texts before this one, read oldest first, leave what has been talked about. */
import type { CurrentValue } from '@palimpsest/core'
import { dayAt } from './calendar.ts'
import { readEnglishQuestion } from './english/questions.ts'
import { readStatements } from './english/read.ts'
import { type Said, mentionsOf } from './english/topics.ts'
import type { Scene } from './scene.ts'

export interface Conversation {
  /** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
  readonly at: string
  readonly timeZone: string
  readonly previous: readonly Said[]
  readonly current: readonly CurrentValue[]
  readonly attributes: Readonly<Record<string, { readonly many: boolean }>>
}

export function sceneOf({ at, timeZone, previous, current, attributes }: Conversation): Scene {
  const scene: Scene = { at: `${at.slice(0, 19)}Z`, today: dayAt(at, timeZone), timeZone, current, attributes, topics: [] }
  for (const said of previous) {
    const stated = said.author === 'user' ? readStatements(said.text, scene) : []
    if (stated.length > 0) continue
    const asked = said.author === 'user' ? readEnglishQuestion(said.text, scene) : undefined
    const [attribute] = asked?.kind === 'value' ? asked.attributes : []
    if (asked !== undefined && attribute !== undefined) scene.topics.push({ subject: asked.subject, attribute, value: undefined })
    else scene.topics.push(...mentionsOf(said, scene))
  }
  return scene
}
