import { h, together } from '../dom.js'
import { visible, visibleName, visibleNameText, visibleText } from '../visible.js'
import { drawRow, drawTable, halfHeadOf, headOf, linesOf, mayEndTable, type TableHead, trimmed } from './prose-table.js'

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

interface Part {
  /** Where it begins. */
  readonly at: number
  readonly lines: string[]
  /** Its end has come. */
  closed?: boolean
}

interface TextBlock extends Part {
  readonly kind: 'code' | 'heading' | 'list' | 'paragraph'
  /** Of a list. */
  readonly ordered?: boolean
  /** Blanks before its first item. */
  readonly indent?: number
}

/** Its lines are those below the head. */
interface TableBlock extends Part {
  readonly kind: 'table'
  readonly head: TableHead
}

type Block = TextBlock | TableBlock

/** A block that has grown longer goes on as another one. */
const LONGEST_GROWING = 8000
/** What is drawn in one frame, so that the page goes on meanwhile: enough for a block to go on as another one behind it. */
const SLICE = 10_000
/** A table that has more goes on as another one below the same heads: all rows of one are laid out together. */
const MOST_ROWS = 1000
/** Of what does not show in all of it; behind them it is named in text. */
const MOST_MARKS = 2000

const FENCE = /^ {0,3}(?:```|~~~)/
const ITEM = /^ {0,6}(?:[-*+]|(\d{1,3})[.)]) +/
const HEADING = /^#{1,6} +/
const BLANK = /^[ \t\u00a0]*$/

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
  let frame: number | undefined

  /** The next slice of what has come. */
  function draw(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    drawn = endOfSlice(text, drawn)
    const seen = text.slice(0, drawn)
    const isAll = settled && drawn === text.length
    const from = open - carried.length
    for (const one of growing) one.remove()
    growing = []
    const isFull = element.getElementsByClassName('hidden-character').length > MOST_MARKS
    const blocks = blocksOf(carried + seen.slice(open))
    for (const block of blocks) {
      if (block.at > 0) {
        open = from + block.at
        carried = ''
        rows = undefined
      }
      const isHalf = block === blocks.at(-1) && !isAll && !block.closed && drawn - open < LONGEST_GROWING
      const whole = isHalf ? asItWillBe(block) : [block]
      const shown = isFull ? whole.map(named) : whole
      growing = rows ? shown.flatMap((one) => rowsOf(one, options)) : shown.map((one) => drawBlock(one, options))
      const place = rows ?? element
      place.append(together(growing))
    }
    const last = blocks.at(-1)
    if (last && drawn - open >= LONGEST_GROWING) goOn(last, seen)
    if (drawn < text.length) later()
  }

  function later(): void {
    frame ??= requestAnimationFrame(draw)
  }

  /** To draw all of it again with each word would stop the page in the end. */
  function goOn(last: Block, seen: string): void {
    growing = []
    open = seen.length
    carried = last.kind === 'code' && !last.closed ? '```\n' : ''
    if (last.kind !== 'table' || last.closed) {
      rows = undefined
      return
    }
    carried = linesOf(last.head)
    rows ??= element.lastElementChild?.querySelector('tbody') ?? undefined
    const row = rows?.lastElementChild
    if (rows && rows.childElementCount >= MOST_ROWS) rows = undefined
    // The last row may not be whole.
    const line = seen.lastIndexOf('\n') + 1
    if (BLANK.test(seen.slice(line)) || seen.length - line >= LONGEST_GROWING || !(row instanceof HTMLElement)) return
    open = line
    growing = [row]
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
      settled = true
      draw()
    },
  }
}

/** At the end of a line or of a word, where there is one. */
function endOfSlice(text: string, from: number): number {
  const to = from + SLICE
  if (to >= text.length) return text.length
  const slice = text.slice(from, to)
  const end = Math.max(slice.lastIndexOf('\n'), 0) || Math.max(slice.lastIndexOf(' '), 0)
  if (end > 0) return from + end + 1
  // Both halves of a character are on one side.
  return /[\ud800-\udbff]$/.test(slice) ? to - 1 : to
}

/** Blocks, each with the place of its first character. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let at = 0
  let block: Block | undefined
  let fenced = false
  const lines = text.split('\n')
  for (const [index, raw] of lines.entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const head = block?.kind === 'paragraph' ? headOf(block.lines.at(-1) ?? '', line) : undefined
    const begin = (next: Block): void => {
      block = next
      blocks.push(next)
    }
    if (fenced) {
      if (FENCE.test(line)) {
        fenced = false
        if (block) block.closed = true
        block = undefined
      } else block?.lines.push(line)
    } else if (FENCE.test(line)) {
      fenced = true
      begin({ kind: 'code', at, lines: [] })
    } else if (BLANK.test(line)) {
      // The last line may become another one.
      if (block && index < lines.length - 1) block.closed = true
      block = undefined
    } else if (block && head) {
      block.lines.pop()
      if (block.lines.length === 0) blocks.pop()
      begin({ kind: 'table', at: at - (lines[index - 1]?.length ?? 0) - 1, lines: [], head })
    } else if (HEADING.test(line)) {
      begin({ kind: 'heading', at, lines: [line.replace(HEADING, '')] })
      block = undefined
    } else if (ITEM.test(line) && !(block?.kind === 'list' && indentOf(line) > (block.indent ?? 0) + 1)) {
      const ordered = ITEM.exec(line)?.[1] !== undefined
      if (block?.kind !== 'list' || block.ordered !== ordered) begin({ kind: 'list', at, lines: [], ordered, indent: indentOf(line) })
      block?.lines.push(line.replace(ITEM, ''))
      // What is further in stays text of its item, with its own sign.
    } else if (block?.kind === 'list') block.lines[block.lines.length - 1] += `\n${trimmed(line)}`
    else if (block) block.lines.push(line)
    else begin({ kind: 'paragraph', at, lines: [line] })
    at += raw.length + 1
  }
  return blocks
}

const indentOf = (line: string): number => line.search(/[^ ]/)

/** What does not show is text of its own. */
const named = (block: Block): Block => ({ ...block, lines: block.lines.map(visibleText) })

/** A block of which not all has come, as it is most likely meant: nothing is to look like something else for a moment. */
function asItWillBe(block: Block): Block[] {
  const { kind, at, lines } = block
  if (kind === 'table') return [mayEndTable(lines.at(-1) ?? '') ? { ...block, lines: lines.slice(0, -1) } : block]
  const half = kind === 'paragraph' ? halfHeadOf(lines) : undefined
  if (!half) return [block]
  const above = lines.slice(0, -half.lines)
  return [...(above.length > 0 ? [{ ...block, lines: above }] : []), { kind: 'table', at, lines: [], head: half.head }]
}

function drawBlock(block: Block, options: ProseOptions): HTMLElement {
  switch (block.kind) {
    case 'code':
      return h('pre', { class: 'prose-code', tabindex: 0, role: 'group', 'aria-label': 'Code' }, together(visible(block.lines.join('\n'))))
    case 'heading':
      return h('p', { class: 'prose-heading' }, inline(block.lines.join(' '), options))
    case 'list':
      return h(block.ordered ? 'ol' : 'ul', {}, together(block.lines.map((line) => h('li', {}, inline(line, options)))))
    case 'paragraph':
      return h('p', {}, inline(block.lines.join('\n'), options))
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
