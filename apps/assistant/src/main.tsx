import '@mantine/core/styles.css'
import './look/page.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openHomeStore } from './home/home-store.ts'
import { theme } from './look/theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

void openHomeStore()
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <App />
    </MantineProvider>
  </StrictMode>,
)
