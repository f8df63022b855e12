import { parseKeys } from './keys.js'
import { columnsOf, graphemes } from './widths.js'

/** Sends input to a session. */
export interface JobInput {
  write(text: string): void
  press(key: 'ctrl+c' | 'ctrl+d'): void
}

const CTRL_D = '\u0004'

/**
 * Emulates a terminal's line mode for a program without a terminal: echoes input, supports editing, and sends whole lines. Returns the
 * handler for the terminal's data.
 */
export function createJobInput(echo: (text: string) => void, { write, press }: JobInput): (data: string) => void {
  let line = ''

  function insert(text: string): void {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) enter()
      line += part
      echo(part)
    }
  }

  function enter(): void {
    echo('\n')
    write(`${line}\n`)
    line = ''
  }

  function takeBack(): void {
    const last = [...graphemes.segment(line)].at(-1)
    if (!last) return
    line = line.slice(0, last.index)
    echo('\b \b'.repeat(columnsOf(last.segment)))
  }

  return (data) => {
    if (data === CTRL_D) {
      if (line === '') press('ctrl+d')
      return
    }
    for (const key of parseKeys(data)) {
      if ('text' in key) insert(key.text)
      else if (key.name === 'enter' || key.name === 'newline') enter()
      else if (key.name === 'backspace') takeBack()
      else if (key.name === 'interrupt') {
        line = ''
        echo('^C\n')
        press('ctrl+c')
      }
    }
  }
}
