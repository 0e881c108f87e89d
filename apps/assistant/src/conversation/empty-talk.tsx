/** What can be typed, while nothing has been said. */
import { UnstyledButton } from '@mantine/core'
import styles from './talk.module.css'

const STATEMENTS = [
  'My passport deadline is July 15, 2026',
  'Actually it moved to June 30',
  'I no longer eat meat since March',
  'Call me Mira',
]
const QUESTIONS = ['When is my passport deadline?', 'What was it on June 2?', 'What do you know about me?']

export function EmptyTalk({ onPick }: { readonly onPick: (text: string) => void }) {
  return (
    <div className={styles.empty}>
      <h2>Nothing has been said yet</h2>
      <p>Tell me something in plain words, and I keep it, with your sentence as the evidence:</p>
      <Examples texts={STATEMENTS} onPick={onPick} />
      <p>Ask me later, also about an earlier day:</p>
      <Examples texts={QUESTIONS} onPick={onPick} />
      <p>All of it stays in this browser, on this device. I work without a network, and what I do not understand I say.</p>
    </div>
  )
}

function Examples({ texts, onPick }: { readonly texts: readonly string[]; readonly onPick: (text: string) => void }) {
  return (
    <ul>
      {texts.map(text => (
        <li key={text}>
          <UnstyledButton className={styles.example} onClick={() => onPick(text)}>
            {text}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
