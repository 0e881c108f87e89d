/** Occupations: the last word of what somebody may be said to be. "I am a mess" is not among them. */

const OCCUPATIONS = new Set(
  `accountant actor actress actuary administrator analyst anesthesiologist animator archaeologist architect archivist artist astronaut
  astronomer athlete attorney auditor author baker banker barber barista bartender biologist bookkeeper botanist broker builder butcher
  buyer carpenter cartoonist cashier caterer chef chemist chiropractor cleaner clerk coach comedian composer conductor consultant
  contractor cook copywriter coordinator counselor courier curator dancer dentist dermatologist designer detective developer dietitian
  director doctor driver ecologist economist editor educator electrician engineer entrepreneur executive farmer firefighter fisherman
  florist freelancer gardener geologist goldsmith guide hairdresser historian illustrator instructor interpreter investigator
  investor janitor jeweler journalist judge lawyer lecturer librarian lifeguard linguist locksmith logistician machinist
  manager mathematician mechanic meteorologist midwife miner model musician neurologist notary novelist nurse nutritionist
  officer operator optician optometrist painter paramedic paralegal pediatrician pharmacist philosopher photographer physician physicist
  physiotherapist pianist pilot plumber poet policeman policewoman politician postman president principal producer professor
  programmer psychiatrist psychologist publisher radiologist ranger realtor receptionist recruiter reporter researcher sailor salesman
  salesperson scientist screenwriter sculptor secretary seamstress singer sociologist soldier solicitor statistician steward stewardess
  student surgeon surveyor tailor teacher technician therapist trader trainer translator trucker tutor undertaker veterinarian vet waiter
  waitress watchmaker welder writer zoologist intern apprentice cto ceo cfo founder paediatrician tester marketer strategist videographer`.split(
    /\s+/u,
  ),
)

/** A phrase whose head is an occupation: "software engineer", "teacher of maths". */
export function isOccupation(phrase: string): boolean {
  const head =
    phrase
      .toLowerCase()
      .replace(/ (?:of|in|for) .+$/u, '')
      .split(/[\s-]/u)
      .at(-1) ?? ''
  return OCCUPATIONS.has(head) && phrase.split(' ').length <= 6
}
