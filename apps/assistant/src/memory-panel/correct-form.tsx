/** Takes another value of the same kind: a date for a date, yes or no for a flag, a number for a number, text for text. */
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import type { Fact } from '@palimpsest/core'
import { useState, type SyntheticEvent } from 'react'
import { plainWords } from '../talk/names.ts'

export interface CorrectFormProps {
  readonly fact: Fact
  readonly busy: boolean
  readonly onCorrect: (value: Fact['value']) => void
  readonly onCancel: () => void
}

const DAY = /^\d{4}-\d\d-\d\d$/u

export function CorrectForm({ fact, busy, onCorrect, onCancel }: CorrectFormProps) {
  const [typed, setTyped] = useState(textOf(fact.value))
  const value = valueOf(typed, fact.value)
  const changed = value !== undefined && typed.trim() !== textOf(fact.value)
  const label = `Correct value of ${plainWords(fact.attribute)}`
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (value !== undefined && changed) onCorrect(value)
  }
  return (
    <form onSubmit={submit} onKeyDown={event => event.key === 'Escape' && onCancel()}>
      {typeof fact.value === 'boolean' ? (
        <NativeSelect
          label={label}
          autoFocus
          data={['yes', 'no']}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          label={label}
          autoFocus
          dir="auto"
          type={typeof fact.value === 'string' && DAY.test(fact.value) ? 'date' : 'text'}
          value={typed}
          error={typed.trim() !== '' && value === undefined ? 'Give a value of the same kind' : undefined}
          onChange={event => setTyped(event.currentTarget.value)}
        />
      )}
      <Group gap="xs" mt="xs">
        <Button type="submit" size="compact-sm" loading={busy} disabled={!changed}>
          Save
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}

function textOf(value: Fact['value']): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Undefined where the text is no value of the kind that `like` is. */
function valueOf(typed: string, like: Fact['value']): Fact['value'] | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  if (typeof like === 'boolean') return text === 'yes'
  if (typeof like === 'string') return text
  try {
    const value = JSON.parse(text) as Fact['value']
    return typeof value === typeof like ? value : undefined
  } catch {
    return undefined
  }
}
