import { h, together } from '../dom.js'
import { visible, visibleName, visibleNameText, visibleText } from '../visible.js'
import { asItWillBe, type Block, blocksOf } from './prose-blocks.js'
import { endOfSlice, endOfWord } from './prose-slices.js'
import { drawRow, drawTable, linesOf } from './prose-table.js'

export interface ProseOptions {
  /** Whether a text is the path of a file in the workspace. */
  readonly isPath: (text: string) => boolean
  readonly onOpenPath: (path: string) => void
}

/** A text of the model that grows. */
export interface Prose {
  readonly element: HTMLElement
  readonly text: string
  append(delta: string): void
  /** Draws what has come: at once, unless it is so long that it takes more than one frame. */
  settle(): void
}

/** A block that has grown longer, or into more elements, goes on as another one: all of it is drawn again with what comes. */
const LONGEST_GROWING = 4000
const MOST_GROWING = 100
const LONGEST_PLAIN = 2500
/** A table that has more goes on as another one below the same heads: all rows of one are laid out together. */
const MOST_OF_TABLE = 1000
/** All of a text: what is behind that is shown as it was written, which costs a page little. */
const MOST_ELEMENTS = 3000
const LONGEST = 200_000

const TOO_LONG = 'This answer is very long. From here on it is shown as it was written, without lists, tables and emphasis.'

/**
 * Paragraphs, headings, lists, tables, code and emphasis of a text in Markdown, as elements. Nothing else of it means anything: tags, links
 * and images stay the characters that they are. Blocks that are whole are drawn once, the last one as it grows.
 */
export function createProse(options: ProseOptions): Prose {
  const element = h('div', { class: 'prose' })
  let text = ''
  /** How far it is drawn, and whether nothing more comes for now, so that what is half is taken as it is. */
  let drawn = 0
  let settled = false
  /** Where the block begins that is still growing, and what is drawn of it. */
  let open = 0
  let growing: HTMLElement[] = []
  /** What stands before the text from there on, so that code goes on as code, and a table in the rows of what is drawn of it. */
  let carried = ''
  let rows: Element | undefined
  let isPlain = false
  let frame: number | undefined

  /** The next slice of what has come. */
  function draw(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    const isMore = drawn < text.length
    const isMuch = isMore && sizeOf(growing) >= MOST_GROWING
    if (isMore && !isPlain && (open >= LONGEST || sizeOf([element]) > MOST_ELEMENTS)) goOnPlain()
    drawn = endOfSlice(text, drawn, isPlain)
    // To draw all of it again with each word would stop the page in the end.
    if (isMuch || drawn - open >= (isPlain ? LONGEST_PLAIN : LONGEST_GROWING)) goOn()
    show(drawn, settled && drawn === text.length)
    if (drawn < text.length) later()
  }

  function later(): void {
    frame ??= requestAnimationFrame(draw)
  }

  /** Draws what is open, up to there. Gives its last block. */
  function show(to: number, isWhole: boolean): Block | undefined {
    const from = open - carried.length
    for (const one of growing) one.remove()
    growing = []
    const blocks = isPlain ? plainOf(text.slice(open, to)) : blocksOf(carried + text.slice(open, to))
    for (const block of blocks) {
      if (block.at > 0) begin(from + block.at)
      // Nothing came of it behind what stands there already.
      if (carried && block.at === 0 && block.lines.join('') === '') continue
      const shown = isWhole || block.closed || block !== blocks.at(-1) ? [block] : asItWillBe(block)
      growing = rows ? shown.flatMap((one) => rowsOf(one, options)) : shown.map((one) => drawBlock(one, options))
      const place = rows ?? element
      place.append(together(growing))
    }
    return blocks.at(-1)
  }

  /** Another block. */
  function begin(at: number): void {
    open = at
    carried = ''
    rows = undefined
  }

  /** What is open stays as it is drawn now, to the end of its last whole line or word, and goes on as another block. */
  function goOn(): void {
    const least = Math.max(open, drawn - LONGEST_GROWING)
    const line = text.lastIndexOf('\n', drawn - 1) + 1
    const end = line > least ? line : (endOfWord(text, drawn, least) ?? drawn)
    const last = show(end, true)
    // It has just begun: its first line will be shown with the others.
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

/** Elements. */
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
