import { h } from '../dom.js'
import { visible } from '../visible.js'

const MOST_LINES = 40
const MOST_CHARACTERS = 400
/** Context lines around a line that breaks the format. */
const AROUND = 2

interface ExcerptLine {
  /** Line of the patch, 1-based. */
  readonly number: number
  readonly text: string
}

/** The hunk that begins at a line of the patch (1-based), cut at a maximum length. */
export function hunkAt(patch: string, line: number): readonly ExcerptLine[] {
  const lines = linesFrom(patch, line, MOST_LINES)
  const end = lines.findIndex(({ text }, index) => index > 0 && /^(?:@@|\*\*\* (?!End of File)|diff --git )/.test(text))
  const header = lines.findIndex(({ text }, index) => text.startsWith('--- ') && (lines[index + 1]?.text.startsWith('+++ ') ?? false))
  const ends = [end, header].filter((one) => one > 0)
  return trimmed(ends.length ? lines.slice(0, Math.min(...ends)) : lines)
}

/** The lines around a line of the patch. */
export function around(patch: string, line: number): readonly ExcerptLine[] {
  return trimmed(linesFrom(patch, Math.max(1, line - AROUND), Math.min(line, AROUND + 1) + AROUND))
}

/** Renders lines of a patch with numbers and diff colours. `marked` is the faulty line. */
export function renderExcerpt(lines: readonly ExcerptLine[], label: string, marked?: number): HTMLElement {
  const rows = lines.map(({ number, text }) => {
    const kind = text.startsWith('+') ? ' diff-added' : text.startsWith('-') ? ' diff-removed' : text.startsWith('@@') ? ' diff-hunk' : ''
    const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
    const row = h(
      'div',
      { class: `diff-line${kind}${number === marked ? ' is-wrong' : ''}`, 'data-number': number },
      ...(shown ? visible(shown) : ['\u200b']),
    )
    return row
  })
  return h('div', { class: 'json-text', tabindex: 0, role: 'group', 'aria-label': label }, h('div', { class: 'diff is-numbered' }, ...rows))
}

/** Reads lines without splitting the whole text. */
function linesFrom(text: string, first: number, count: number): ExcerptLine[] {
  let at = 0
  for (let number = 1; number < first; number += 1) {
    const end = text.indexOf('\n', at)
    if (end < 0) return []
    at = end + 1
  }
  const lines: ExcerptLine[] = []
  for (let number = first; number < first + count && at <= text.length; number += 1) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    lines.push({ number, text: text.slice(at, stop).replace(/\r$/, '') })
    at = stop + 1
  }
  return lines
}

function trimmed(lines: readonly ExcerptLine[]): readonly ExcerptLine[] {
  return lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines
}
