/** Colours and type: ink on paper. */
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const ink: MantineColorsTuple = [
  '#edf6f6',
  '#dae9ea',
  '#b2d2d4',
  '#88bbbe',
  '#65a7ab',
  '#4f9b9f',
  '#3d8489',
  '#2f6f74',
  '#24595d',
  '#184347',
]

export const theme = createTheme({
  primaryColor: 'ink',
  // White words are readable on it (5.8:1), whatever the scheme.
  primaryShade: 7,
  colors: { ink },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontFamily: 'Georgia, "Noto Serif", serif', fontWeight: '600' },
  cursorType: 'pointer',
})
