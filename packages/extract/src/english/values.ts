/** Values: names, places, things, lists, as they are written in the clause. Whatever does not look like one is refused. */
import { gerund } from './gerund.ts'

const CAPITAL = String.raw`[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}\p{N}'.&+-]*`
const PARTICLE =
  "(?:de|da|do|dos|das|del|della|di|du|la|le|las|los|van|von|der|den|ter|ten|bin|bint|ibn|al|el|af|av|am|an|upon|sur|of|the|y|e|i|auf|od|na|zu|d')"
const NAME = new RegExp(`^${CAPITAL}(?: (?:${PARTICLE} ){0,2}${CAPITAL}){0,4}$`, 'u')
const PLACE = new RegExp(
  `^(?:the )?${CAPITAL}(?: (?:${PARTICLE} ){0,2}${CAPITAL}){0,4}(?:, (?:the )?${CAPITAL}(?: ${CAPITAL}){0,2}){0,2}$`,
  'u',
)
const LOWER_NAME = /^[\p{Ll}\p{M}'-]{2,30}$/u
const LOWER_PLACE = /^[\p{Ll}\p{M}'-]{3,30}(?: [\p{Ll}\p{M}'-]{3,30})?$/u

/** Capitalised words that are no name of a person or a place. */
const NOT_A_NAME =
  /^(?:i|it|he|she|we|they|you|god|ok|yes|no|not|later|back|when|if|please|today|tomorrow|mon|tues|wednes|thurs|fri|satur|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|crazy|maybe|anytime|asap|never|always|what|the)$/iu
const NOT_A_PLACE =
  /^(?:i|it|love|hate|fear|hope|peace|trouble|charge|need|pain|doubt|town|bed|shock|tears|debt|sales|marketing|engineering|hr|finance|legal|support|management|research|operations|linux|windows|macos|mac|android|ios|iphone|slack|teams|notion|obsidian|vim|emacs|vscode|python|java|javascript|typescript|rust|go|react|gmail|outlook|spotify|netflix|excel|github|gitlab|jira|chrome|firefox|safari|telegram|whatsapp|signal|zoom|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|english|french|german|spanish|here|there|mars)$/iu
const LOWER_NOT_A_PLACE =
  /^(?:a|an|the|my|this|that|here|there|fear|hope|peace|town|student|shared|house|apartment|flat|suburbs|countryside|country|city|village|basement|dorm|poverty|pain|denial|harmony|general|private|public|sin|love|trouble|bed|need|charge|touch|contact|front|between|total|two|three|constant|style|luxury|comfort|his|her|our|their|your|what|which|one)\b/u

/** The words without quotation marks, an article of its own, or marks at the ends. */
export function bare(text: string): string {
  return text
    .trim()
    .replace(/^["'(]+(?=.*["')])|["')]+$/gu, '')
    .replace(/^[,;: ]+|[,;: ]+$/gu, '')
    .trim()
}

/** `lower`: the whole text was typed without capitals. */
export function readName(text: string, lower = false): string | undefined {
  const name = bare(text).replace(/\.$/u, '')
  if (name.length > 60 || NOT_A_NAME.test(name)) return undefined
  if (NAME.test(name) && !NOT_A_NAME.test(name.split(' ')[0] ?? '')) return name
  const common =
    /^(?:hard|long|short|irrelevant|unknown|secret|difficult|easy|common|rare|mud|a|the|not|on|in|going|too|very|being|still|here|now|late|off|fine|good|bad|it|this|that)$/u
  return lower && LOWER_NAME.test(name) && !common.test(name) ? name : undefined
}

export function readPlace(text: string, lower = false): string | undefined {
  const place = bare(text)
    .replace(/^the city of /iu, '')
    .replace(/\.$/u, '')
  if (place.length > 80 || NOT_A_PLACE.test(place) || NOT_A_PLACE.test(place.split(/[ ,]/u)[0] ?? '')) return undefined
  if (PLACE.test(place)) return place
  return lower && LOWER_PLACE.test(place) && !LOWER_NOT_A_PLACE.test(place) ? place : undefined
}

const NO_THING =
  /(?:^|[\s-])(?:i|you|he|she|it|they|we|me|him|them|us|myself|yourself|that|this|these|those|when|what|whatever|how|who|which|where|why|because|if|is|are|was|were|be|am|been|do|does|did|has|have|had|will|would|can|could|not|no|never|your|yours|my|mine|our|his|her|their|its|some|any|every|each|all|both|more|less|than|so|too|one|ones|here|there|idea|everything|nothing|something|anything|nobody|someone|somebody|everyone|people|stuff|things?|way|fact|look|sound|version|answers? (?:above|below)|lot|much|as|like|such|most|many|several|few|certain|various|everywhere|anywhere|nowhere|somewhere|other|another|whole|same)(?:$|[\s'])/iu
const THING = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'&+#./%-]*(?: [\p{L}\p{N}&+#'][\p{L}\p{M}\p{N}'&+#./%-]*){0,7}$/u
const PRAISE =
  /(?:,? (?:a lot|a great deal|very much|so much|too much|the most|the best|best|the least|most of all|too|as well|again|now|these days|more and more|instead|in general|generally|though|please|anyway|indeed|tbh|after all|above all))+$/iu
const GERUND_LIKE = /^(?:\p{Ll}+)$/u

export interface ThingFrame {
  /** "A window seat" is a window seat; else an article makes one thing of many and is refused. */
  readonly article?: boolean
}

/** A short noun phrase, or an activity. */
export function readThing(text: string, { article = false }: ThingFrame = {}): string | undefined {
  let thing = bare(bare(text).replace(PRAISE, ''))
  const verb = /^to (?<verb>\p{Ll}+)(?<rest>(?: .+)?)$/u.exec(thing)?.groups
  if (
    verb !== undefined &&
    GERUND_LIKE.test(verb.verb ?? '') &&
    !/^(?:be|have|do|know|think|say|see|get|go|hear|make)$/u.test(verb.verb ?? '')
  )
    thing = `${gerund(verb.verb ?? '')}${verb.rest ?? ''}`
  else if (/^to go \p{Ll}+ing\b/u.test(thing)) thing = thing.replace(/^to go /u, '')
  if (/^an? /iu.test(thing)) {
    if (!article) return undefined
    thing = thing.replace(/^an? /iu, '')
  } else if (/^the \P{Lu}/u.test(thing)) {
    if (
      !article ||
      /\b(?:option|one|version|answer|first|second|third|former|latter|draft|other|last|previous|idea)\b/u.test(thing)
    )
      return undefined
    thing = thing.replace(/^the /u, '')
  }
  // "Listening to music" is one thing; "tea to coffee" is two.
  if (/(?:^| )to(?: |$)/iu.test(thing) && !/^\p{L}+ing\b.* to \S/iu.test(thing)) return undefined
  return thing.length <= 60 && THING.test(thing) && !NO_THING.test(thing) && !/["?!:;]/u.test(thing) ? thing : undefined
}

const PAIRS =
  /\b(?:fish and chips|mac and cheese|salt and vinegar|salt and pepper|rock and roll|rock and pop|gin and tonic|drum and bass|peanut butter and jelly|bread and butter|arts and crafts|bacon and eggs|cookies and cream|dungeons and dragons|black and white|peace and quiet|r and b|rhythm and blues)\b/giu

/** "X, Y and Z"; pairs that belong together stay together. */
export function splitList(text: string): string[] {
  const kept = text.replace(PAIRS, pair => pair.replaceAll(' ', '\u0000'))
  const parts = kept
    .split(/,\s*(?:and |or )?|\s+(?:and(?: also)?|or|&)\s+/iu)
    .map(part => part.replaceAll('\u0000', ' ').trim())
    .filter(part => part !== '')
  return joinPhrases(parts)
}

/** "Road trips with friends and family" is one thing: what follows a preposition may go on, unless another activity begins. */
function joinPhrases(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    const goesOn =
      before !== undefined &&
      / (?:with|of|in|about|on|for|from|between|at|into|like|by) /iu.test(before) &&
      !/^(?:to |\p{L}+ing\b)/iu.test(part)
    if (goesOn) joined[joined.length - 1] = `${before} and ${part}`
    else joined.push(part)
  }
  return joined
}

/** Every part of a list, or nothing where a part cannot be read. */
export function readList(text: string, read: (part: string) => string | undefined): string[] | undefined {
  const words = splitList(text)
  // "To swim and run": whether "run" is a verb is not known here.
  if (words.some(part => part.startsWith('to ')) && !words.every(part => part.startsWith('to '))) return undefined
  const parts = words.map(read)
  return parts.length > 0 && parts.length <= 8 && parts.every(part => part !== undefined) ? parts : undefined
}

export function readEmail(text: string): string | undefined {
  const email = bare(text)
  return /^[^\s@"<>]{1,64}@[\p{L}\p{N}.-]{1,190}\.\p{L}{2,24}$/u.test(email) ? email : undefined
}

/** A number, code or address: short, with a digit. */
export function readDigits(text: string): string | undefined {
  const value = bare(text)
  return /\d/u.test(value) &&
    /^[\p{L}\p{M}\p{N} ,.'#/()+-]{1,80}$/u.test(value) &&
    !/\b(?:days?|weeks?|months?|years?|hours?|minutes?|times?|old|not|is|too|at)\b/iu.test(value)
    ? value
    : undefined
}

const LANGUAGES =
  /^(?:english|french|german|spanish|italian|portuguese|norwegian|swedish|danish|finnish|icelandic|dutch|flemish|polish|czech|slovak|slovene|slovenian|croatian|serbian|bosnian|bulgarian|romanian|hungarian|greek|turkish|russian|ukrainian|belarusian|lithuanian|latvian|estonian|georgian|armenian|azerbaijani|kazakh|uzbek|persian|farsi|arabic|hebrew|hindi|urdu|bengali|punjabi|tamil|telugu|marathi|gujarati|thai|vietnamese|indonesian|malay|tagalog|filipino|chinese|mandarin|cantonese|japanese|korean|mongolian|swahili|amharic|yoruba|zulu|afrikaans|catalan|basque|galician|irish|welsh|gaelic|maltese|albanian|macedonian|latin|esperanto|sign language)$/iu

export function readLanguage(text: string): string | undefined {
  const language = bare(text)
    .replace(/^(?:fluent|some|a little|a bit of|basic|native|good|decent) /iu, '')
    .replace(/ (?:fluently|well|natively)$/iu, '')
  return LANGUAGES.test(language) ? language : undefined
}
