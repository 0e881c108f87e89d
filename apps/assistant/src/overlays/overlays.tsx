/** Holds the dialogs of the page: an episode, and over it the plan of a forgetting. */
import type { ForgetScope } from '@palimpsest/core'
import { useMemo, useState, type ReactNode } from 'react'
import { EpisodeDialog } from './episode-dialog.tsx'
import { ForgetDialog } from '../forget/forget-dialog.tsx'
import { OverlaysContext, type OverlayCalls, type Passage } from './overlays-context.ts'

interface Shown {
  readonly id: string
  readonly passage: Passage | undefined
}

interface Planned {
  readonly scope: ForgetScope
  readonly what: string
}

export function Overlays({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown>()
  const [planned, setPlanned] = useState<Planned>()
  const calls = useMemo<OverlayCalls>(
    () => ({
      showEpisode: (id, passage) => setShown({ id, passage }),
      planForget: (scope, what) => setPlanned({ scope, what }),
    }),
    [],
  )
  return (
    <OverlaysContext value={calls}>
      {children}
      {shown !== undefined && <EpisodeDialog key={shown.id} {...shown} onClose={() => setShown(undefined)} />}
      {planned !== undefined && <ForgetDialog {...planned} onClose={() => setPlanned(undefined)} />}
    </OverlaysContext>
  )
}
