/** Memory out to a file, and in from one. */
import { Button, Group } from '@mantine/core'
import type { IncomingFile } from '@palimpsest/file'
import { useState } from 'react'
import { useAction } from '../home/use-action.ts'
import { useHome } from '../home/use-home.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { chooseFile } from './choose-file.ts'
import styles from './files.module.css'
import { ImportDialog } from './import-dialog.tsx'
import { exportMemory, readMemoryFile } from './memory-file.ts'

interface Incoming {
  readonly name: string
  readonly file: IncomingFile
}

export function FileButtons() {
  const { home } = useHome()
  const { busy, error, run, clear } = useAction()
  const [incoming, setIncoming] = useState<Incoming>()
  const [saved, setSaved] = useState('')

  const exportNow = () =>
    run(async () => {
      const name = await exportMemory(home)
      setSaved(name === undefined ? '' : `Exported as ${name}.`)
    })
  const choose = () =>
    run(async () => {
      const chosen = await chooseFile()
      setSaved('')
      if (chosen !== undefined) setIncoming({ name: chosen.name, file: await readMemoryFile(home, chosen.bytes) })
    })

  return (
    <>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void exportNow()}>
          Export…
        </Button>
        <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void choose()}>
          Import…
        </Button>
      </Group>
      <p role="status" className={styles.saved}>
        {saved}
      </p>
      {error !== undefined && <ErrorNotice error={error} onClose={clear} />}
      {incoming !== undefined && <ImportDialog {...incoming} onClose={() => setIncoming(undefined)} />}
    </>
  )
}
