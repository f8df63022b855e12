import { halfHeadOf, headOf, mayEndTable, type TableHead, trimmed } from './prose-table.js'

interface Part {
  /** Offset of its first character in the text. */
  readonly at: number
  readonly lines: string[]
  /** Whether the block is complete. */
  closed?: boolean
}

interface TextBlock extends Part {
  /** `plain`: not parsed as Markdown. */
  readonly kind: 'code' | 'heading' | 'list' | 'paragraph' | 'plain'
  /** Whether a list is numbered. Only for lists. */
  readonly ordered?: boolean
  /** Number of the first list item. */
  readonly first?: number
  /** Indentation of the first list item, in blanks. */
  readonly indent?: number
}

/** `lines` holds the rows below the head. */
interface TableBlock extends Part {
  readonly kind: 'table'
  readonly head: TableHead
}

export type Block = TextBlock | TableBlock

const FENCE = /^ {0,3}(?:```|~~~)/
const ITEM = /^ {0,6}(?:[-*+]|(\d{1,3})[.)]) +/
const HEADING = /^#{1,6} +/
const BLANK = /^[ \t\u00a0]*$/

/** Parses a text into blocks with their offsets. */
export function blocksOf(text: string): Block[] {
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
      // The last line may still grow into something other than a blank line.
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
      const number = ITEM.exec(line)?.[1]
      const ordered = number !== undefined
      if (block?.kind !== 'list' || block.ordered !== ordered)
        begin({ kind: 'list', at, lines: [], ordered, first: Number(number), indent: indentOf(line) })
      block?.lines.push(line.replace(ITEM, ''))
      // A nested item stays text of its parent item and keeps its marker.
    } else if (block?.kind === 'list') block.lines[block.lines.length - 1] += `\n${trimmed(line)}`
    else if (block) block.lines.push(line)
    else begin({ kind: 'paragraph', at, lines: [line] })
    at += raw.length + 1
  }
  return blocks
}

const indentOf = (line: string): number => line.search(/[^ ]/)

/** Guesses what an incomplete block will become, so that it does not flicker through other forms while it grows. */
export function asItWillBe(block: Block): Block[] {
  const { kind, at, lines } = block
  if (kind === 'table') return [mayEndTable(lines.at(-1) ?? '') ? { ...block, lines: lines.slice(0, -1) } : block]
  const half = kind === 'paragraph' ? halfHeadOf(lines) : undefined
  if (!half) return [block]
  const above = lines.slice(0, -half.lines)
  return [...(above.length > 0 ? [{ ...block, lines: above }] : []), { kind: 'table', at, lines: [], head: half.head }]
}
