import { h, together } from '../dom.js'
import { visible, visibleName, visibleNameText, visibleText } from '../visible.js'
import { asItWillBe, type Block, blocksOf } from './prose-blocks.js'
import { drawRow, drawTable, linesOf } from './prose-table.js'

export interface ProseOptions {
  /** Whether a text is the path of a file in the workspace. */
  readonly isPath: (text: string) => boolean
  readonly onOpenPath: (path: string) => void
}

/** A growing text of the model. */
export interface Prose {
  readonly element: HTMLElement
  readonly text: string
  append(delta: string): void
  /** Draws the pending text: at once, or over several frames if the text is long. */
  settle(): void
}

/** A block beyond these limits continues as a new block, because each append redraws the whole growing block. */
const LONGEST_GROWING = 4000
const MOST_GROWING = 100
const LONGEST_PLAIN = 2500
/**
 * A table beyond this number of rows continues as a new table with the same head, because browsers lay out all rows of a table together.
 */
const MOST_OF_TABLE = 1000
/** Limits of one text. Text beyond them is shown as plain text, which is cheap to draw. */
const MOST_ELEMENTS = 3000
const LONGEST = 200_000

const TOO_LONG = 'This answer is very long. From here on it is shown as it was written, without lists, tables and emphasis.'

/**
 * Renders Markdown: paragraphs, headings, lists, tables, code and emphasis. Everything else stays plain text, including tags, links and
 * images. Complete blocks are drawn once; the last block is redrawn as it grows.
 */
export function createProse(options: ProseOptions): Prose {
  const element = h('div', { class: 'prose' })
  let text = ''
  /**
   * `drawn`: offset up to which the text is drawn. `settled`: whether the text is complete for now, so that a half-written block is drawn
   * as it stands.
   */
  let drawn = 0
  let settled = false
  /** Offset and elements of the growing block. */
  let open = 0
  let growing: HTMLElement[] = []
  /** Markdown that precedes the growing block, so that code continues as code and a table continues in its existing rows. */
  let carried = ''
  let rows: Element | undefined
  let isPlain = false
  let frame: number | undefined

  /** Draws the next slice. */
  function draw(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    const isMore = drawn < text.length
    const isMuch = isMore && sizeOf(growing) >= MOST_GROWING
    if (isMore && !isPlain && (open >= LONGEST || sizeOf([element]) > MOST_ELEMENTS)) goOnPlain()
    drawn = endOfSlice(text, drawn, isPlain)
    // Redrawing a long block for every word would freeze the page.
    if (isMuch || drawn - open >= (isPlain ? LONGEST_PLAIN : LONGEST_GROWING)) goOn()
    show(drawn, settled && drawn === text.length)
    if (drawn < text.length) later()
  }

  function later(): void {
    frame ??= requestAnimationFrame(draw)
  }

  /** Draws the growing block up to `to`. Returns its last block. */
  function show(to: number, isWhole: boolean): Block | undefined {
    const from = open - carried.length
    for (const one of growing) one.remove()
    growing = []
    const blocks = isPlain ? plainOf(text.slice(open, to)) : blocksOf(carried + text.slice(open, to))
    for (const block of blocks) {
      if (block.at > 0) begin(from + block.at)
      // This block comes from the carried Markdown and has no text yet.
      if (carried && block.at === 0 && block.lines.join('') === '') continue
      const shown = isWhole || block.closed || block !== blocks.at(-1) ? [block] : asItWillBe(block)
      growing = rows ? shown.flatMap((one) => rowsOf(one, options)) : shown.map((one) => drawBlock(one, options))
      const place = rows ?? element
      place.append(together(growing))
    }
    return blocks.at(-1)
  }

  /** Starts a new block. */
  function begin(at: number): void {
    open = at
    carried = ''
    rows = undefined
  }

  /** Freezes the growing block at its last complete line or word, and continues with a new block. */
  function goOn(): void {
    const least = Math.max(open, drawn - LONGEST_GROWING)
    const line = text.lastIndexOf('\n', drawn - 1) + 1
    const end = line > least ? line : (endOfWord(text, drawn, least) ?? drawn)
    const last = show(end, true)
    // The code block has just started: its first line will be drawn with the following ones.
    if (last?.kind === 'code' && last.lines.join('') === '') for (const one of growing) one.remove()
    const table = rows ?? growing.at(-1)?.querySelector('tbody') ?? undefined
    growing = []
    begin(end)
    if (last?.closed) return
    if (last?.kind === 'code') carried = '```\n'
    if (last?.kind !== 'table') return
    carried = linesOf(last.head)
    if (table && sizeOf([table]) < MOST_OF_TABLE) rows = table
  }

  function goOnPlain(): void {
    for (const one of growing) one.remove()
    growing = []
    begin(open)
    isPlain = true
    element.append(h('p', { class: 'agent-note' }, TOO_LONG))
  }

  return {
    element,
    get text() {
      return text
    },
    append(delta) {
      text += delta
      settled = false
      later()
    },
    settle() {
      if (settled) return
      settled = true
      draw()
    },
  }
}

/** Number of elements. */
const sizeOf = (all: readonly Element[]): number => all.reduce((sum, one) => sum + 1 + one.getElementsByTagName('*').length, 0)

const plainOf = (text: string): Block[] => (text ? [{ kind: 'plain', at: 0, lines: [text] }] : [])

function drawBlock(block: Block, options: ProseOptions): HTMLElement {
  switch (block.kind) {
    case 'code':
      return h('pre', { class: 'prose-code', tabindex: 0, role: 'group', 'aria-label': 'Code' }, together(visible(block.lines.join('\n'))))
    case 'heading':
      return h('p', { class: 'prose-heading' }, inline(block.lines.join(' '), options))
    case 'list':
      return h(
        block.ordered ? 'ol' : 'ul',
        { start: block.ordered && block.first },
        together(block.lines.map((line) => h('li', {}, inline(line, options)))),
      )
    case 'paragraph':
      return h('p', {}, inline(block.lines.join('\n'), options))
    case 'plain':
      return h('p', { class: 'prose-plain' }, visibleText(block.lines.join('\n')))
    case 'table':
      return drawTable(block.head, block.lines, (text) => inline(text, options))
  }
}

const rowsOf = (block: Block, options: ProseOptions): HTMLElement[] =>
  block.kind === 'table' ? block.lines.map((line) => drawRow(line, block.head, (text) => inline(text, options))) : []

const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*/g

function inline(text: string, { isPath, onOpenPath }: ProseOptions): DocumentFragment {
  const parts = document.createDocumentFragment()
  let from = 0
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong = ''] = found
    parts.append(together(visible(text.slice(from, found.index))))
    from = found.index + whole.length
    if (code === undefined) parts.append(h('strong', {}, together(visible(strong))))
    else if (isPath(code)) parts.append(pathLink(code, () => onOpenPath(code)))
    else parts.append(h('code', {}, together(visible(code))))
  }
  parts.append(together(visible(text.slice(from))))
  return parts
}

function pathLink(path: string, onClick: () => void): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'path-link', title: `Open ${visibleNameText(path)}`, on: { click: onClick } },
    ...visibleName(path),
  )
}

/** Limits per frame, so that the page stays responsive: characters, and marks that may become an element or a line. */
const SLICE = 6000
const MOST_MARKS = 200
/** Line limit of plain text. */
const MOST_LINES = 500

const MARKS = /\n|\|{1,4}|`+|\*+|(?:(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{DI}])+/gu
const LINES = /\n/g

/** Where the slice that begins at `from` ends: after a line or a word if possible. */
function endOfSlice(text: string, from: number, isPlain: boolean): number {
  const most = text.slice(from, from + SLICE)
  const length = isPlain ? lengthUpTo(most, LINES, MOST_LINES) : lengthUpTo(most, MARKS, MOST_MARKS)
  const to = from + length
  if (to >= text.length) return text.length
  const slice = most.slice(0, length)
  const end = Math.max(slice.lastIndexOf('\n'), 0) || Math.max(slice.lastIndexOf(' '), 0)
  if (end > 0) return from + end + 1
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]$/.test(slice) ? to - 1 : to
}

/** Length of the text up to the end of the mark with the number `most`. The whole length if there are fewer marks. */
function lengthUpTo(text: string, marks: RegExp, most: number): number {
  let count = 0
  for (const { 0: mark, index } of text.matchAll(marks)) {
    count += 1
    if (count === most) return index + mark.length
  }
  return text.length
}

/** Characters with a Markdown meaning at the start of a line, and blanks, which may precede them. */
const SIGN = /^[-*+#`~|\d ]?$/

/** The last position between `least` and `to` where a line can be split so that no Markdown marker starts the new line. */
function endOfWord(text: string, to: number, least: number): number | undefined {
  for (let at = text.lastIndexOf(' ', to - 1) + 1; at > least; at = text.lastIndexOf(' ', at - 2) + 1) {
    if (!SIGN.test(text.charAt(at))) return at
    if (at < 2) return undefined
  }
  return undefined
}
