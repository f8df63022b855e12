import { textButton } from '../button.js'
import { h } from '../dom.js'
import { formatCount, plural } from '../format.js'
import { visible } from '../visible.js'

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/
/** Number of lines drawn at once. A button draws the next ones. */
const PAGE = 1000
const MAX_CHARACTERS = 2000

interface DiffLine {
  readonly text: string
  readonly kind: '' | 'hunk' | 'added' | 'removed' | 'file'
}

/** Whether the text contains a unified diff. */
export function hasDiff(text: string): boolean {
  return /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text)
}

/** Renders a text line by line, and colours the unified diffs in it. */
export function renderDiff(text: string): HTMLElement {
  const element = h('div', { class: 'diff' })
  draw(element, linesOf(text), 0)
  return element
}

/** Counts the lines of each hunk, so that other text is not mistaken for a diff. */
function linesOf(text: string): DiffLine[] {
  let before = 0
  let after = 0
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.map((line, index) => {
    const hunk = before + after > 0 ? null : HUNK.exec(line)
    let kind: DiffLine['kind'] = ''
    if (hunk) {
      before = Number(hunk[1] ?? 1)
      after = Number(hunk[2] ?? 1)
      kind = 'hunk'
    } else if (before + after > 0) {
      if (line.startsWith('+')) kind = 'added'
      else if (line.startsWith('-')) kind = 'removed'
      if (kind !== 'added' && !line.startsWith('\\')) before -= 1
      if (kind !== 'removed' && !line.startsWith('\\')) after -= 1
    } else if (isFileLine(lines, index)) kind = 'file'
    return { text: line, kind }
  })
}

function draw(element: HTMLElement, lines: readonly DiffLine[], from: number): void {
  const to = Math.min(lines.length, from + PAGE)
  element.append(...lines.slice(from, to).map(drawLine))
  if (to === lines.length) return
  const next = (): void => {
    more.remove()
    draw(element, lines, to)
  }
  const label = `Show ${formatCount(Math.min(PAGE, lines.length - to))} more of ${plural(lines.length, 'line')}`
  const more = textButton(label, next, { class: 'small more' })
  element.append(more)
}

function drawLine({ text, kind }: DiffLine): HTMLElement {
  const shown = text.slice(0, MAX_CHARACTERS)
  // A carriage return is part of the line ending, not of the line.
  const end = shown.endsWith('\r') ? '\r' : ''
  const content = shown ? [...visible(end ? shown.slice(0, -1) : shown), end] : ['\u200b']
  const element = h('div', { class: kind ? `diff-line diff-${kind}` : 'diff-line' }, ...content)
  const rest = text.length - MAX_CHARACTERS
  if (rest > 0) element.append(h('span', { class: 'cut' }, `… ${plural(rest, 'more character')}`))
  return element
}

/** Whether the line is the `--- a` or `+++ b` line above a hunk. */
function isFileLine(lines: readonly string[], index: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(index, index + 3)
  return (line.startsWith('--- ') && next.startsWith('+++ ') && HUNK.test(third)) || (line.startsWith('+++ ') && HUNK.test(next))
}
