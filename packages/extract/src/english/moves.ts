/** Homes and places: "I live in Oslo since 2024", "I moved to Bergen last week", "I am in Paris from the 10th to the 20th". */
import type { Scene } from '../scene.ts'
import type { Statement } from '../statement.ts'
import { COMING, type Clause, HAPPENED, PERFECT, PRESENT, type PersonHead, type Rule, leadOf, state, timed } from './clause.ts'
import { readDateValue } from './date-value.ts'
import { type ValidityFrame, readAdjunct } from './validity.ts'
import { readPlace } from './values.ts'

export const moves: readonly Rule<PersonHead>[] = [
  {
    says: 'I live in Oslo since 2024',
    pattern:
      /^(?:lives?|living|(?:am|is|are) living|resides?|(?:am|is|are) (?:now |currently )?(?:based|residing))(?: now| currently| permanently| alone)? in (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, PRESENT)
      const place = found && readPlace(found.rest, clause.lower)
      return found && place ? state(head, 'lives_in', place, found.times, scene) : undefined
    },
  },
  {
    says: 'I have lived in Oslo for two years',
    pattern: /^(?:have|has) (?:been living|lived|been based) in (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, PERFECT)
      const place = found && readPlace(found.rest, clause.lower)
      // "I have lived in Oslo" alone may be over.
      return found && place && found.times.from !== null ? state(head, 'lives_in', place, found.times, scene) : undefined
    },
  },
  {
    says: 'I lived in Paris from 2010 to 2015',
    pattern: /^(?:lived|was living|were living|was based|live) in (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, { ...PERFECT, duration: 'ahead' })
      const place = found && readPlace(found.rest, clause.lower)
      if (!found || !place) return undefined
      const { from, until } = found.times
      if (from !== null && until !== null && head.polarity === 'affirmed')
        return state(head, 'lives_in', place, found.times, scene)
      // Without a beginning there is no interval to keep; only what memory holds can end.
      return state({ ...head, polarity: 'past' }, 'lives_in', place, found.times, scene)
    },
  },
  {
    says: 'I moved to Bergen last week',
    pattern:
      /^(?:(?:have|has) )?(?:(?:just|recently|finally) )?(?:moved|relocated)(?: back| over| down| up| out| house)?(?: (?<when>(?!from \p{Lu}).{3,30}?))?(?: from .+?)? to (?<rest>.+)$/u,
    read({ when = '', rest = '' }, head, clause, scene) {
      const lead = clause.lead || when
      if (head.polarity !== 'affirmed' || (when !== '' && readAdjunct(when, scene, HAPPENED) === undefined)) return undefined
      return moved(rest, head, { ...clause, lead }, scene, HAPPENED)
    },
  },
  {
    says: 'I am moving to Berlin on June 1',
    pattern: /^(?:(?:am|is|are) (?:moving|relocating)|will (?:move|relocate|be moving)) (?:back )?to (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      if (head.polarity !== 'affirmed') return undefined
      // A plan without its day is only a plan.
      return moved(rest, head, clause, scene, COMING)?.filter(statement => statement.from !== null)
    },
  },
  {
    says: 'I am from Norway',
    pattern: /^(?:(?:am|is|are)(?: originally)?|comes?|originally comes?) from (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const place = readPlace(rest.replace(/ originally$/iu, ''), clause.lower)
      return place ? state(head, 'origin', place, leadOf(clause, scene), scene) : undefined
    },
  },
  {
    says: 'I was born in Bergen on May 3, 1990',
    pattern: /^(?:was|were|am) born(?: and raised)?(?: in (?<place>\P{N}+?))?(?:,? (?<date>(?:on |in )?\P{N}*\d.*))?$/iu,
    read({ place, date }, head, clause, scene) {
      if (head.polarity !== 'affirmed') return undefined
      const birthplace = place === undefined ? undefined : readPlace(place, clause.lower)
      const day = date === undefined ? undefined : readDateValue(date, 'birthday', undefined, scene, 'past')
      if (place !== undefined && birthplace === undefined) return undefined
      return [
        ...(birthplace === undefined ? [] : state(head, 'birthplace', birthplace, leadOf(clause, scene), scene)),
        // A year alone is not a birthday.
        ...(day !== undefined && day.length >= 7 ? state(head, 'birthday', day, leadOf(clause, scene), scene) : []),
      ]
    },
  },
  {
    says: 'I have been in Rome since Monday',
    pattern: /^(?:have|has) been (?:staying )?in (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, PERFECT)
      const place = found && readPlace(found.rest, clause.lower)
      return found && place && found.times.from !== null ? state(head, 'location', place, found.times, scene) : undefined
    },
  },
  {
    says: 'I am in Paris from the 10th to the 20th of July 2026',
    pattern:
      /^(?<be>(?:(?:am|is|are|was|were|will be)(?: staying)?|will stay)(?: back)?(?: now| currently)? in|(?:am|is|are|was|were|will be) visiting) (?<rest>.+)$/iu,
    read({ be = '', rest = '' }, head, clause, scene) {
      const past = /^wa|^were/iu.test(be)
      const found = timed(rest, clause, scene, { point: 'within', lean: past ? 'past' : 'coming', duration: 'ahead' })
      const place = found && readPlace(found.rest, clause.lower)
      if (!found || !place) return undefined
      const { from, until } = found.times
      if ((past && (from === null || until === null)) || (/^will/iu.test(be) && from === null)) return undefined
      return state(head, 'location', place, found.times, scene)
    },
  },
]

function moved(
  rest: string,
  head: PersonHead,
  clause: Clause,
  scene: Scene,
  frame: ValidityFrame,
): readonly Statement[] | undefined {
  const found = timed(rest, clause, scene, frame)
  // "To Bergen from Oslo last week": where from is known already, or is no matter.
  const place = found && readPlace(found.rest.replace(/ from \p{Lu}[\p{L} '-]*$/u, ''), clause.lower)
  return found && place ? state(head, 'lives_in', place, found.times, scene) : undefined
}
