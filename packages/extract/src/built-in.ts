/** The built-in extractor: plain English first-person statements, by rules. The same text always gives the same candidates. */
import type { ExtractionInput, Extractor, MemoryUpdate } from '@palimpsest/core'
import { builtInAttributes, builtInFlagPrefixes } from './attributes.ts'
import { sceneOf } from './conversation.ts'
import { readStatements } from './english/read.ts'
import { proposals } from './proposal.ts'

export interface BuiltInOptions {
  /**
   * Whether attributes are also made from the words: "my passport deadline is …" becomes `passport_deadline`. False
   * leaves those of `builtInAttributes`, the flags, and what the application declared. Default true.
   */
  readonly openAttributes?: boolean
}

/** Raised when the same text would give other candidates. */
const VERSION = 1

/** An extractor that uses no model. It reads only what the user says, and rather nothing than a guess. */
export function builtIn(options: BuiltInOptions = {}): Extractor {
  const open = options.openAttributes ?? true
  return {
    name: 'built-in',
    version: VERSION,
    async extract(input: ExtractionInput): Promise<readonly MemoryUpdate[]> {
      if (input.signal?.aborted) throw input.signal.reason
      if (input.author !== 'user' || input.text.trim() === '') return []
      const scene = sceneOf(input)
      const updates = proposals(input.text, readStatements(input.text, scene), scene)
      return open ? updates : updates.filter(update => isDeclared(update.attribute, input))
    },
  }
}

function isDeclared(attribute: string, input: ExtractionInput): boolean {
  const flag = builtInFlagPrefixes.some(prefix => attribute.startsWith(prefix))
  return flag || Object.hasOwn(builtInAttributes, attribute) || Object.hasOwn(input.attributes, attribute)
}
