import { h } from '../dom.js'

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
  /** Draws what has come. */
  settle(): void
}

interface Block {
  readonly kind: 'code' | 'heading' | 'list' | 'paragraph'
  /** Where it begins. */
  readonly at: number
  readonly lines: string[]
  /** Of a list. */
  readonly ordered?: boolean
  /** Of code: its end has come. */
  closed?: boolean
}

/** A block that has grown longer goes on as another one. */
const LONGEST_GROWING = 8000

const FENCE = /^ {0,3}(?:```|~~~)/
const ITEM = /^ {0,6}(?:[-*+]|(\d{1,3})[.)]) +/
const HEADING = /^#{1,6} +/

/**
 * Paragraphs, headings, lists, code and emphasis of a text in Markdown, as elements. Nothing else of it means anything: tags, links and
 * images stay the characters that they are. Blocks that are whole are drawn once, the last one as it grows.
 */
export function createProse(options: ProseOptions): Prose {
  const element = h('div', { class: 'prose' })
  let text = ''
  /** Where the block begins that is still growing, and its element. */
  let open = 0
  let growing: HTMLElement | undefined
  /** What stands before the text from there on, so that code goes on as code. */
  let carried = ''
  let frame: number | undefined

  function draw(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    frame = undefined
    const from = open - carried.length
    growing?.remove()
    growing = undefined
    const blocks = blocksOf(carried + text.slice(open))
    for (const block of blocks) {
      growing = drawBlock(block, options)
      element.append(growing)
      if (block.at === 0) continue
      open = from + block.at
      carried = ''
    }
    const last = blocks.at(-1)
    if (!last || text.length - open < LONGEST_GROWING) return
    // To draw all of it again with each word would stop the page in the end.
    growing = undefined
    open = text.length
    carried = last.kind === 'code' && !last.closed ? '```\n' : ''
  }

  return {
    element,
    get text() {
      return text
    },
    append(delta) {
      text += delta
      frame ??= requestAnimationFrame(draw)
    },
    settle: draw,
  }
}

/** Blocks, each with the place of its first character. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let at = 0
  let block: Block | undefined
  let fenced = false
  for (const line of text.split('\n')) {
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
    } else if (line.trim() === '') block = undefined
    else if (HEADING.test(line)) {
      begin({ kind: 'heading', at, lines: [line.replace(HEADING, '')] })
      block = undefined
    } else if (ITEM.test(line)) {
      if (block?.kind !== 'list') begin({ kind: 'list', at, lines: [], ordered: ITEM.exec(line)?.[1] !== undefined })
      block?.lines.push(line.replace(ITEM, ''))
    } else if (block?.kind === 'list') block.lines[block.lines.length - 1] += `\n${line.trim()}`
    else if (block) block.lines.push(line)
    else begin({ kind: 'paragraph', at, lines: [line] })
    at += line.length + 1
  }
  return blocks
}

function drawBlock(block: Block, options: ProseOptions): HTMLElement {
  switch (block.kind) {
    case 'code':
      return h('pre', { class: 'prose-code', tabindex: 0, role: 'group', 'aria-label': 'Code' }, block.lines.join('\n'))
    case 'heading':
      return h('p', { class: 'prose-heading' }, ...inline(block.lines.join(' '), options))
    case 'list':
      return h(block.ordered ? 'ol' : 'ul', {}, ...block.lines.map((line) => h('li', {}, ...inline(line, options))))
    case 'paragraph':
      return h('p', {}, ...inline(block.lines.join('\n'), options))
  }
}

const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*/g

function inline(text: string, { isPath, onOpenPath }: ProseOptions): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = []
  let from = 0
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong = ''] = found
    parts.push(text.slice(from, found.index))
    from = found.index + whole.length
    if (code === undefined) parts.push(h('strong', {}, strong))
    else if (isPath(code))
      parts.push(h('button', { type: 'button', class: 'path-link', title: `Open ${code}`, on: { click: () => onOpenPath(code) } }, code))
    else parts.push(h('code', {}, code))
  }
  return [...parts, text.slice(from)]
}
