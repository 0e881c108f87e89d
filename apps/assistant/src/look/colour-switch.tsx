/** Light, dark, or as the system has it: one button that goes round. */
import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core'
import { Icon } from './icon.tsx'

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const WORDS = { auto: 'as the system', light: 'light', dark: 'dark' } as const
const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const

export function ColourSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const words = `Colours: ${WORDS[colorScheme]}`
  return (
    <Tooltip label={words}>
      <ActionIcon variant="subtle" size="lg" aria-label={words} onClick={() => setColorScheme(NEXT[colorScheme])}>
        <Icon name={ICONS[colorScheme]} />
      </ActionIcon>
    </Tooltip>
  )
}
