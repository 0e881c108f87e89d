/** What people read while an evaluation runs, on standard error: notes that stay, and one line of progress. */
export interface Terminal {
  /** A line that stays. */
  note(text: string): void
  /** How far it has come: rewrites one line on a terminal, elsewhere a new line every few seconds. */
  progress(text: string): void
}

const CLEAR_LINE = '\r\u001b[2K'
const QUIET_MS = 5_000
const FRAME_MS = 100

export function openTerminal(stream: NodeJS.WriteStream = process.stderr): Terminal {
  let last = performance.now()
  let line = ''
  const clear = (): void => {
    if (line !== '') stream.write(CLEAR_LINE)
    line = ''
  }
  return {
    note(text) {
      clear()
      stream.write(`${text}\n`)
    },
    progress(text) {
      const now = performance.now()
      if (now - last < (stream.isTTY ? FRAME_MS : QUIET_MS)) return
      last = now
      if (!stream.isTTY) return void stream.write(`${text}\n`)
      line = text.slice(0, (stream.columns ?? 80) - 1)
      stream.write(CLEAR_LINE + line)
    },
  }
}
