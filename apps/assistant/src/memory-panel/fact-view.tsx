/** A fact: its value and while it holds; opened, its evidence and what can be done about it. */
import { Badge, UnstyledButton } from '@mantine/core'
import type { Fact } from '@palimpsest/core'
import { Fragment, useId, useState } from 'react'
import { useHome } from '../home/use-home.ts'
import { Icon } from '../look/icon.tsx'
import { periodWords } from '../talk/dates.ts'
import { plainWords } from '../talk/names.ts'
import { valueWords } from '../talk/values.ts'
import { Evidence } from './evidence.tsx'
import { FactActions } from './fact-actions.tsx'
import styles from './memory-panel.module.css'

export interface FactViewProps {
  readonly fact: Fact
  readonly place: 'current' | 'later' | 'earlier'
  readonly now: string
}

export function FactView({ fact, place, now }: FactViewProps) {
  const { home } = useHome()
  const [open, setOpen] = useState(false)
  const details = useId()
  const period = periodWords(fact.validFrom, fact.validTo, { now, timeZone: home.timeZone })
  const value = valueWords(fact.value)
  const badges = [...(place === 'later' ? ['not yet'] : []), ...(fact.contested.length > 0 ? ['contested'] : [])]
  return (
    <div className={styles.fact} data-place={place}>
      <UnstyledButton
        className={styles.opener}
        aria-expanded={open}
        aria-controls={details}
        aria-label={[`${plainWords(fact.attribute)}: ${value}`, period, ...badges].join(', ')}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" className={styles.chevron} />
        <span className={styles.words}>
          <span className={styles.value} dir="auto">
            {value}
          </span>{' '}
          <span className={styles.period}>{period}</span>
        </span>
        {badges.map(badge => (
          <Fragment key={badge}>
            {' '}
            <Badge variant="outline" color="var(--accent-ink)">
              {badge}
            </Badge>
          </Fragment>
        ))}
      </UnstyledButton>
      <div id={details} hidden={!open} className={styles.details}>
        {open && (
          <>
            {fact.contested.length > 0 && (
              <p className={styles.contested}>
                Also said for the same moment:{' '}
                {fact.contested.map(({ value: other }) => (other === undefined ? 'that it ended' : valueWords(other))).join(', ')}
                .
              </p>
            )}
            <Evidence sources={fact.sources} now={now} />
            <FactActions fact={fact} />
          </>
        )}
      </div>
    </div>
  )
}
