import { textButton } from '../button.js'
import { h } from '../dom.js'
import { formatCount, plural } from '../format.js'
import { visible } from '../visible.js'
import type { ChangedLines } from './changed-lines.js'
import type { Token } from './highlight.js'

/** Height of a line, pixels. Must match `--line-height`. */
export const LINE_HEIGHT = 20

/** Lines per block. The browser renders only blocks near the visible area. */
const BLOCK = 400
/** Number of lines rendered at once. A button renders the next ones. */
const PAGE = 20_000
const MAX_CHARACTERS = 2_000

export interface LinesToRender {
  readonly lines: readonly string[]
  readonly tokens: readonly Token[][] | undefined
  /** Changes since the workspace was loaded. */
  readonly changes: ChangedLines
  /** Lines changed by the last call. */
  readonly fresh: ReadonlySet<number>
}

/** Appends the lines to `parent` in blocks. */
export function renderLines(parent: HTMLElement, file: LinesToRender, from = 0): void {
  const { lines } = file
  const to = Math.min(lines.length, from + PAGE)
  for (let start = from; start < to; start += BLOCK) parent.append(block(file, start, Math.min(start + BLOCK, to)))
  if (to === lines.length) return
  const more = textButton(
    `Show ${formatCount(Math.min(PAGE, lines.length - to))} more of ${plural(lines.length, 'line')}`,
    () => {
      more.remove()
      renderLines(parent, file, to)
    },
    { class: 'more' },
  )
  parent.append(more)
}

function block(file: LinesToRender, start: number, end: number): HTMLElement {
  const element = h('div', { class: 'block' })
  element.style.setProperty('contain-intrinsic-height', `${(end - start) * LINE_HEIGHT}px`)
  for (let index = start; index < end; index += 1) element.append(line(file, index))
  return element
}

function line({ lines, tokens, changes, fresh }: LinesToRender, index: number): HTMLElement {
  const classes = ['line']
  if (changes.changed.has(index)) classes.push('is-changed')
  if (changes.removedBefore.has(index)) classes.push('has-removed')
  if (index === lines.length - 1 && changes.removedBefore.has(lines.length)) classes.push('has-removed-after')
  if (fresh.has(index)) classes.push('is-fresh')
  const element = h('div', { class: classes.join(' '), 'data-line': index + 1 })
  const text = lines[index] ?? ''
  if (text.length > MAX_CHARACTERS) {
    element.append(
      ...visible(text.slice(0, MAX_CHARACTERS)),
      h('span', { class: 'cut' }, `… ${plural(text.length - MAX_CHARACTERS, 'more character')}`),
    )
    return element
  }
  for (const { text: piece, kind } of tokens?.[index] ?? [{ text, kind: undefined }]) {
    const content = visible(piece)
    element.append(...(kind ? [h('span', { class: `tok-${kind}` }, ...content)] : content))
  }
  return element
}
