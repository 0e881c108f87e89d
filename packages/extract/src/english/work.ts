/** Work and study: "I work at Acme as a nurse since May", "I left Acme", "I study physics at NTNU". */
import type { Scene } from '../scene.ts'
import { type Statement, type Times, fold, sameValue } from '../statement.ts'
import { currentIn } from '../scene.ts'
import { COMING, type Clause, HAPPENED, PERFECT, PRESENT, type PersonHead, type Rule, state, timed } from './clause.ts'
import { isOccupation } from './occupations.ts'
import type { ValidityFrame } from './validity.ts'
import { bare, readName, readThing } from './values.ts'

export const work: readonly Rule<PersonHead>[] = [
  {
    says: 'I work at Acme as a nurse',
    pattern:
      /^(?:works?|working|(?:am|is|are) (?:working|employed))(?: now| currently| full[- ]time| part[- ]time| remotely)? (?:at|for|by|with) (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) => post(rest, head, clause, scene, PRESENT),
  },
  {
    says: 'I have worked at Acme for two years',
    pattern: /^(?:have|has) (?:been working|worked|been employed|been) (?:at|for|with) (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) => post(rest, head, clause, scene, PERFECT)?.filter(said => said.from !== null),
  },
  {
    says: 'I work as a nurse at Acme',
    pattern: /^(?:works?|working|(?:am|is|are) (?:working|employed)) as (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) => occupation(rest, head, clause, scene, PRESENT, false),
  },
  {
    says: 'I started working at Acme in May',
    pattern:
      /^(?:started|began|got|landed|took)(?: (?:working|work|(?:a|the|my) (?:new )?(?:job|position|role)))? (?:at|for|with) (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) =>
      head.polarity === 'affirmed' ? post(rest, head, clause, scene, HAPPENED) : undefined,
  },
  {
    says: 'I joined Acme as a designer in May',
    pattern: /^(?:have |has )?joined (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const said = head.polarity === 'affirmed' ? post(rest, head, clause, scene, HAPPENED) : undefined
      // One also joins clubs and services: a job or a day makes it work.
      return said !== undefined && (said.length > 1 || said[0]?.from !== null) ? said : undefined
    },
  },
  {
    says: 'I start at Acme on June 1',
    pattern:
      /^(?:(?:am|is|are) (?:starting|joining)|starts?|will (?:start|join|work|be working)|joins?)(?: (?:working|work|(?:a|my) new job))?(?: (?:at|for|with))? (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) =>
      head.polarity === 'affirmed' ? post(rest, head, clause, scene, COMING)?.filter(said => said.from !== null) : undefined,
  },
  {
    says: 'I left my job at Acme last week',
    pattern:
      /^(?:have |has )?(?:left|quit|resigned from|(?:was|were|got) (?:fired|laid off|let go) from|lost|stopped working at|stopped working for) (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, HAPPENED)
      if (found === undefined || head.polarity !== 'affirmed' || found.times.until !== null) return undefined
      const job = /^(?:my|her|his|the) (?:old )?job(?: (?:at|with) (?<org>.+))?$/iu.exec(found.rest)
      const org = job === null ? found.rest : job.groups?.org
      const employer = [...scene.topics, ...scene.current].findLast(
        known => known.subject === head.subject && known.attribute === 'employer',
      )?.value
      // "I left Paris" ends no employment: without "my job" it must be the employer that memory holds.
      const same = org !== undefined && employer !== undefined && sameValue(employer, bare(org).replace(/^the /iu, ''))
      if (job === null ? !same : org !== undefined && employer !== undefined && !same) return undefined
      const jobs = currentIn(scene, { subject: head.subject, attribute: 'job' })
      return [
        ...(job !== null && employer === undefined && jobs.length > 0 ? [] : ['employer']),
        ...(jobs.length > 0 ? ['job'] : []),
      ].map(attribute => ({
        subject: head.subject,
        attribute,
        value: null,
        ended: true,
        ...found.times,
        confidence: 0.85,
      }))
    },
  },
  {
    says: 'I was promoted to team lead',
    pattern: /^(?:was|got|have been|has been|were) promoted to (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, HAPPENED)
      const job = found && readThing(found.rest, { article: true })
      return found && job && head.polarity === 'affirmed' ? state(head, 'job', job, found.times, scene) : undefined
    },
  },
  {
    says: 'I am a software engineer',
    pattern: /^(?:am|is|became|have become|has become)(?: now)? an? (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) => occupation(rest, head, clause, scene, HAPPENED, true),
  },
  {
    says: 'I study physics at NTNU',
    pattern:
      /^(?:study|studies|studying|(?:am|is|are) studying|majors? in|(?:am|is|are) majoring in)(?: (?!at |in )(?<field>.+?))?(?: (?:at|in) (?<rest>.+))?$/iu,
    read({ field, rest }, head, clause, scene) {
      const found = timed(rest ?? field ?? '', clause, scene, PRESENT)
      if (found === undefined) return undefined
      const school = rest === undefined ? undefined : organisation(found.rest, clause)
      const subject =
        field === undefined || /\b(?:for|hard|all|every|abroad|with|online|from|alone)\b/iu.test(field)
          ? undefined
          : readThing(rest === undefined ? found.rest : field)
      if ((rest !== undefined && school === undefined) || (field !== undefined && subject === undefined)) return undefined
      return [
        ...(subject === undefined ? [] : state(head, 'field_of_study', subject, found.times, scene)),
        ...(school === undefined ? [] : state(head, 'school', school, found.times, scene)),
      ]
    },
  },
]

/** "Acme as a nurse since May". */
function post(
  rest: string,
  head: PersonHead,
  clause: Clause,
  scene: Scene,
  frame: ValidityFrame,
): readonly Statement[] | undefined {
  const found = timed(rest, clause, scene, frame)
  const groups = /^(?<org>.+?)(?:,? as (?<job>.+))?$/iu.exec(found?.rest ?? '')?.groups
  const employer = organisation(groups?.org ?? '', clause)
  if (found === undefined || employer === undefined) return undefined
  const job = groups?.job === undefined ? undefined : readJob(groups.job)
  if (groups?.job !== undefined && job === undefined) return undefined
  return withJob(head, employer, job, found.times, scene)
}

/** "A nurse at Acme since May". */
function occupation(
  rest: string,
  head: PersonHead,
  clause: Clause,
  scene: Scene,
  frame: ValidityFrame,
  listed: boolean,
): readonly Statement[] | undefined {
  const found = timed(rest, clause, scene, frame)
  const groups = /^(?<job>.+?)(?: (?:at|for|with) (?<org>.+))?$/iu.exec(found?.rest ?? '')?.groups
  const job = readJob(groups?.job ?? '')
  if (found === undefined || job === undefined || (listed && !isOccupation(job))) return undefined
  const employer = groups?.org === undefined ? undefined : organisation(groups.org, clause)
  if (groups?.org !== undefined && employer === undefined) return undefined
  return withJob(head, employer, job, found.times, scene)
}

function withJob(
  head: PersonHead,
  employer: string | undefined,
  job: string | undefined,
  times: Times,
  scene: Scene,
): readonly Statement[] {
  return [
    // A student is at a school.
    ...(employer === undefined
      ? []
      : state(head, /\bstudent$/iu.test(job ?? '') ? 'school' : 'employer', employer, times, scene)),
    ...(job === undefined ? [] : state(head, 'job', job, times, scene)),
  ]
}

function readJob(text: string): string | undefined {
  const job = readThing(text, { article: true })
  return job === undefined || /\b(?:usual|well|expected|planned|part|result|team|hobby|always|before)\b/iu.test(job)
    ? undefined
    : job
}

const NO_ORGANISATION =
  /^(?:home|night|nights|work|school|university|least|peace|it|money|fun|free|himself|myself|me|him|her|them|you|us|google docs)$/iu

function organisation(text: string, clause: Clause): string | undefined {
  const name = bare(text)
    .replace(/^the (?=\p{Lu})/u, '')
    .replace(/(?<=\w),? (?:in|based in) \p{Lu}[\p{L} ]*$/u, '')
  return NO_ORGANISATION.test(fold(name)) ? undefined : readName(name, clause.lower)
}
