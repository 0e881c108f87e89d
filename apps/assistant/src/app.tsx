/** The page: talk on one side, memory on the other; below 62em one of them at a time. */
import { SegmentedControl, Title } from '@mantine/core'
import { useState } from 'react'
import styles from './app.module.css'
import { Talk } from './conversation/talk.tsx'
import { HomeGate } from './home/home-gate.tsx'
import { ColourSwitch } from './look/colour-switch.tsx'
import { MemoryPanel } from './memory-panel/memory-panel.tsx'
import { Overlays } from './overlays/overlays.tsx'

type View = 'talk' | 'memory'

export function App() {
  const [view, setView] = useState<View>('talk')
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Title order={1} className={styles.name}>
          Palimpsest
        </Title>
        <SegmentedControl
          className={styles.switch}
          aria-label="Show"
          size="sm"
          value={view}
          onChange={setView}
          data={[
            { value: 'talk', label: 'Talk' },
            { value: 'memory', label: 'Memory' },
          ]}
        />
        <ColourSwitch />
      </header>
      <HomeGate>
        <Overlays>
          <main className={styles.rooms} data-view={view}>
            <Talk className={styles.talk} />
            <MemoryPanel className={styles.memory} />
          </main>
        </Overlays>
      </HomeGate>
    </div>
  )
}
