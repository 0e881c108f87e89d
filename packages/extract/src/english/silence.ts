/**
 * What says nothing about the user, however it is worded: "Maybe I will move to Oslo", "If I lived in Oslo …",
 * "Translate: I live in Oslo", "In my novel I am a spy", "She said I live in Oslo".
 */

// A word that makes its clause less than a statement. Case counts: "May" is a month and "Will" a name.
const HEDGE = new RegExp(
  `(?:^|[^\\p{L}'])(?:${[
    'maybe|perhaps|probably|possibly|presumably|supposedly|allegedly|apparently|hopefully|ideally',
    'might|could|would|should|ought to|shall|will|may(?! \\d)|must|want|wants|wanted|wish|wishes|wished|hope|hopes|hoping|hoped',
    'considering|thinking (?:of|about)|plan(?:s|ning|ned)? (?:to|on)|going to|gonna|wanna|intend|dream(?:s|ing|ed|t)?|about to',
    'guess|think|thought|believe|believed|suppose|seems?|seemed|suspect|feel like|felt like|not sure|unsure|no idea|forgot|forget',
    'almost|nearly|barely|kind of|sort of|kinda|sorta|in theory|theoretically|someday|one day|as if|sometimes|often|occasionally|usually|rarely|normally|tend to',
    'supposed to|able to|trying to|try to|tried to|used to think|need to|have to|has to|had to|ready to|happy to|likely|unlikely',
  ].join('|')})(?![\\p{L}'])`,
  'u',
)

const UNREAL =
  /\b(?:if|unless|whether|imagine|suppose|supposing|assuming|assume|hypothetically|as though|were to|would have|let us say|let's say|say i|pretend|what about|how about|otherwise|when i (?:was|am|were|lived|worked)|until i|before i|after i|while i)\b/iu
const REPORT =
  /\b(?:said|says|saying|told|tells|telling|claims?|claimed|asked|asks|wrote|writes|thinks|thought|believes|believed|heard|hears|quote|according to|rumou?r|article|the lyrics|sings?|sang|assumes?|assumed|mentioned|insists?|joked)\b/iu
const JOKE =
  /(?:^|\s)(?:\/s|lol|haha(?:ha)*|lmao|rofl|yeah right|as if|not!)(?:$|[\s.!,])|[\u{1f602}\u{1f643}\u{1f923}\u{1f609}\u{1f61c}\u{1f92a}]/iu
const TAKEN_BACK =
  /\b(?:just kidding|only kidding|kidding|jk|just joking|only joking|joking|i am joking|i'm joking|april fools?|not really|that's a lie|none of (?:this|that) is true|ignore (?:that|this|what i)|never ?mind|disregard)\b/iu
const FICTION =
  /\b(?:in|for|from|of) (?:my|the|a|this|our|his|her) (?:next |new |last |short )?(?:novel|story|book|game|dream|movie|film|song|poem|play|script|screenplay|essay|scene|scenario|example|role|comic|fanfic\w*|sketch|campaign)\b|\b(?:my|the|this) (?:character|protagonist|narrator|hero)\b|\brole-?play\b|\bonce upon a time\b|\b(?:pretend|imagine|hypothetically|suppose|let's say|let us say|let's assume|act as|for the sake of)\b|\bi (?:dreamt|dreamed|had a dream)\b/iu

const REQUEST = new RegExp(
  `^(?:please |kindly |now |then |ok,? |hey,? )*(?:${[
    'translate|write|rewrite|draft|compose|summari[sz]e|fix|proofread|correct|paraphrase|rephrase|repeat|say|tell|ask|answer|reply|respond|read|explain|describe',
    'show|give|find|search|look|check|book|buy|order|send|email|text|message|remind|schedule|set|add|create|make|plan|help|let|suggest|recommend|list|compare|convert',
    'calculate|compute|generate|complete|continue|finish|analy[sz]e|review|edit|improve|put|use|play|open|close|turn|start|stop|cancel|delete|remove|forget|pick|choose|go|come|try|think|consider|wait until|spell|define|quote|sing|print|type|format|parse|extract|classify|label',
  ].join('|')})\\b`,
  'iu',
)
const QUESTION =
  /^(?:and |but |so |then |ok,? |hey,? )*(?:who|whom|whose|what|what's|which|when|where|why|how|do|does|did|is|are|am|was|were|can|could|would|will|should|shall|may(?! \d)|might|have|has|had|don't|doesn't|isn't|aren't|won't)\b/iu
const TRANSCRIPT =
  /^(?!(?:i|we|my|note|update|fyi|correction|remember|reminder|ps|btw|about me|sorry|no|yes|ok|okay|actually)\b)[\p{L}][\p{L}\p{N} .'-]{0,30}:\s/iu

export interface Silence {
  /** This sentence says nothing. */
  readonly here: boolean
  /** Nor does anything after it. */
  readonly after: boolean
}

/** Whether a sentence, as it was typed, is not meant. */
export function isJoke(sentence: string): boolean {
  return JOKE.test(sentence)
}

/** Whether a whole text is a joke or is taken back in itself. */
export function isTakenBack(text: string): boolean {
  return TAKEN_BACK.test(text)
}

/** Whether a sentence, in plain wording and peeled, is spoken in earnest by the user about the world. */
export function silenceOf(sentence: string): Silence {
  const request = isRequest(sentence)
  // "Translate this: …" makes what follows material of the request.
  const after =
    FICTION.test(sentence) ||
    (request && /:\s*$|:\s|\b(?:following|below|this text|this sentence|email|letter|post|bio|message)\b/iu.test(sentence))
  return { here: after || request || UNREAL.test(sentence) || REPORT.test(sentence) || TRANSCRIPT.test(sentence), after }
}

function isRequest(sentence: string): boolean {
  return REQUEST.test(sentence) && !/^(?:please )?(?:make it|make that|set it to|set that to)\b/iu.test(sentence)
}

/** A clause that is only possible, wished or usual. */
export function isHedged(clause: string): boolean {
  const first = clause.charAt(0)
  return HEDGE.test(first.toLowerCase() + clause.slice(1))
}

/** Worded as a question, with or without its mark. */
export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence)
}
