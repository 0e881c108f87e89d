/** A dialog of this page. Escape closes it, and the focus goes back to where it was. */
import { Modal } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import styles from './page-dialog.module.css'

export interface PageDialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function PageDialog({ title, onClose, children }: PageDialogProps) {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      // What opened the dialog may have gone with what was done in it; the place to type is always there.
      setTimeout(() => {
        if (document.querySelector('[role="dialog"]') !== null) return
        const target = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector('textarea')
        target?.focus()
      })
    }
  }, [opener])
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      classNames={{ title: styles.title, content: styles.content }}
      returnFocus={false}
      // A header element that is not in a section would be taken for the page's own.
      attributes={{ header: { role: 'presentation' } }}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  )
}
