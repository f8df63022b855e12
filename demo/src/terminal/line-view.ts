import type { IMarker, Terminal } from '@xterm/xterm'
import { EMPTY, type Line } from './line.js'
import { type LineWindow, windowOf } from './line-window.js'
import { colour, ERASE_ALL } from './sequences.js'

export interface LineView {
  /** Starts a line of input at the cursor, with initial content. */
  begin(prompt: string, line?: Line): Promise<void>
  /** Replaces the prompt of the shown line, if any. */
  setPrompt(prompt: string): void
  /** Draws the line. Of several calls in a row only the last one is drawn. */
  draw(line: Line): void
  /** Draws pending changes and moves below the line. Writes `mark` after the text. */
  finish(line: Line, mark?: string): Promise<void>
  /** Writes text at the cursor while there is no line. */
  print(text: string): void
  /** Stops editing the line, but leaves it on the screen. */
  drop(): void
  /** Clears the screen and the scrollback, but keeps the current line. */
  clear(): Promise<void>
}

const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'

/**
 * Draws the edited line over several rows. Only the terminal knows the width of a character, so the cursor is positioned by rewriting the
 * text before it.
 */
export function createLineView(terminal: Terminal): LineView {
  let prompt = ''
  let anchor: IMarker | undefined
  let shown: LineWindow | undefined
  let wanted: Line | undefined
  let latest: Line = EMPTY
  let work: Promise<void> = Promise.resolve()
  terminal.onResize(() => anchor && draw(latest, true))

  const write = (data: string): Promise<void> => new Promise((resolve) => terminal.write(data, resolve))

  /** Moves the cursor to the row of the prompt. */
  function toStart(): string {
    const { baseY, cursorY } = terminal.buffer.active
    const rows = Math.min(cursorY, baseY + cursorY - (anchor?.line ?? 0))
    return `${rows > 0 ? `\u001b[${rows}A` : ''}\r`
  }

  function render(text: string, { above }: LineWindow): string {
    const skipped = above ? `${colour('faint', `… ${above} more above`)}\r\n${rest}` : ''
    return prompt + skipped + text.replaceAll('\n', `\r\n${rest}`)
  }

  async function paint(line: Line): Promise<void> {
    const next = windowOf(line, terminal.rows, terminal.cols)
    const { text, cursor } = next
    const before = shown
    shown = next
    const atEnd = cursor === text.length
    if (before && atEnd && before.cursor === before.text.length && isLonger(next, before)) {
      await write(text.slice(before.text.length).replaceAll('\n', `\r\n${rest}`))
      return
    }
    if (!before || before.text !== text || before.above !== next.above) {
      const skipped = next.below ? `\r\n${rest}${colour('faint', `… ${next.below} more below`)}` : ''
      await write(`${HIDE}${toStart()}\u001b[J${render(text, next)}${skipped}`)
      if (atEnd && !next.below) {
        await write(SHOW)
        return
      }
    }
    await write(`${toStart()}${render(text.slice(0, cursor), next)}`)
    // After a full row xterm leaves the cursor on the last column, although the next character goes to the next row.
    const full = !atEnd && terminal.buffer.active.cursorX === terminal.cols
    await write(full && text[cursor] !== '\n' ? `\u001b[B\r${SHOW}` : SHOW)
  }

  function release(): void {
    anchor?.dispose()
    anchor = undefined
  }

  function draw(line: Line, anew = false): void {
    latest = line
    if (anew) shown = undefined
    if (!wanted) work = work.then(paintWanted)
    wanted = line
  }

  async function paintWanted(): Promise<void> {
    const line = wanted
    wanted = undefined
    if (line && anchor) await paint(line)
  }

  return {
    begin(next, line = EMPTY) {
      latest = line
      work = work.then(async () => {
        await write('')
        if (terminal.buffer.active.cursorX > 0) await write('\r\n')
        prompt = next
        anchor = terminal.registerMarker(0)
        shown = undefined
        // Draws the newest line, because keys may have arrived since `begin` was called.
        await paint(latest)
      })
      return work
    },
    setPrompt(next) {
      if (!anchor || next === prompt) return
      prompt = next
      draw(latest, true)
    },
    draw,
    finish(line, mark = '') {
      const end = { text: line.text, cursor: line.text.length }
      latest = end
      wanted = undefined
      work = work.then(async () => {
        if (anchor) await paint(end)
        release()
        await write(`${mark}\r\n`)
      })
      return work
    },
    print(text) {
      work = work.then(() => write(text))
    },
    drop() {
      work = work.then(release)
    },
    clear() {
      work = work.then(async () => {
        await write(ERASE_ALL)
        if (!anchor) return
        anchor.dispose()
        anchor = terminal.registerMarker(0)
        shown = undefined
        await paint(latest)
      })
      return work
    },
  }
}

/** Prompt of continuation rows. */
const rest = colour('faint', '> ')

function isLonger(next: LineWindow, before: LineWindow): boolean {
  return next.text.startsWith(before.text) && next.above === before.above && next.below === 0 && before.below === 0
}
