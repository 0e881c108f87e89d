/** "I like to swim" is about swimming: the -ing form of a plain verb. */

/** Longer verbs that double their last letter because it is stressed. */
const DOUBLED = new Set(['begin', 'forget', 'prefer', 'refer', 'commit', 'admit', 'regret'])

export function gerund(verb: string): string {
  if (/[^\p{L}]/u.test(verb) || verb.length < 2) return verb
  if (verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`
  if (verb.endsWith('e') && !/(?:ee|oe|ye)$/u.test(verb) && verb !== 'be') return `${verb.slice(0, -1)}ing`
  // One vowel between consonants in a verb of one syllable: swim, run, jog.
  if (DOUBLED.has(verb) || /^[^aeiou]*[aeiou][bdfgklmnprtvz]$/u.test(verb)) return `${verb}${verb.at(-1)}ing`
  return `${verb}ing`
}
