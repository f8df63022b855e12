import { foldUnicode } from '../edit-fold.js'
import { IntList } from '../int-list.js'
import type { Steps } from '../steps.js'

/** The level at which lines match. A level is tried only if all earlier levels have no match. */
export type PatchLevel = 'exact' | 'trailing_space' | 'surrounding_space' | 'unicode'

export const PATCH_LEVELS: readonly PatchLevel[] = ['exact', 'trailing_space', 'surrounding_space', 'unicode']

export const FOLDS: Readonly<Record<PatchLevel, (line: string) => string>> = {
  exact: (line) => line,
  trailing_space: (line) => line.trimEnd(),
  surrounding_space: (line) => line.trim(),
  unicode: (line) => (line.length > UNITS_A_STEP ? line : foldUnicode(line)).trim(),
}

const LINES_A_STEP = 8192
/** Line numbers counted or sorted in one step. */
const NUMBERS_A_STEP = 1_048_576
/** Code units folded in one step. A longer line is compared without folding. */
const UNITS_A_STEP = 262_144

/** A text as a table of lines. Lines end at LF or CRLF; a lone CR is an ordinary character. */
export interface LineTable {
  readonly text: string
  readonly count: number
  /** Start of each line, and the end of the text. */
  readonly starts: Int32Array
  /** The line without its line break. */
  line(index: number): string
  /** The line break of a line. Empty for a last line without one. */
  ending(index: number): '' | '\n' | '\r\n'
  /** Returns the index of a level. Creates the index on first use, in steps. */
  index(level: PatchLevel): Steps<LineIndex>
  /** The indexes created so far. */
  readonly indexes: ReadonlyMap<PatchLevel, LineIndex>
}

/** Assigns equal lines the same number. */
export interface LineIndex {
  readonly ids: Int32Array
  /** The number of each folded line. */
  readonly numbers: Map<string, number>
  /** Returns the number of a line. Undefined if no line of the text equals it at this level. */
  idOf(line: string): number | undefined
  /**
   * Line indexes, grouped by number and ascending in each group: `range(id)` gives the group of a number, `order[from]` to `order[to - 1]`.
   */
  readonly order: Int32Array
  range(id: number): { readonly from: number; readonly to: number }
}

/** Creates the table of a text, in steps. `indexes` has existing indexes; the table adds new ones to this map. */
export function* lineTable(text: string, indexes: Map<PatchLevel, LineIndex> = new Map()): Steps<LineTable> {
  const found = new IntList()
  found.push(0)
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    found.push(at + 1)
    if (++count % LINES_A_STEP === 0) yield
  }
  if (text !== '' && !text.endsWith('\n')) {
    found.push(text.length)
    count++
  }
  const starts = found.values()
  const table: LineTable = {
    text,
    count,
    starts,
    line: (index) => text.slice(starts[index], (starts[index + 1] ?? 0) - table.ending(index).length),
    ending(index) {
      const end = starts[index + 1] ?? 0
      if (text.charCodeAt(end - 1) !== 10) return ''
      return text.charCodeAt(end - 2) === 13 && end - 2 >= (starts[index] ?? 0) ? '\r\n' : '\n'
    },
    indexes,
    *index(level) {
      const index = indexes.get(level) ?? (yield* lineIndex(table, level))
      indexes.set(level, index)
      return index
    },
  }
  return table
}

function* lineIndex(table: LineTable, level: PatchLevel): Steps<LineIndex> {
  const ids = new Int32Array(table.count)
  const numbers = new Map<string, number>()
  yield* numberLines(table, level, { ids, numbers, from: 0, to: ids.length })
  return yield* byNumber(ids, numbers, level)
}

/** Assigns numbers to the lines `[from, to)`. Lines that have not occurred yet get new numbers. */
export function* numberLines(
  table: LineTable,
  level: PatchLevel,
  { ids, numbers, from, to }: Pick<LineIndex, 'ids' | 'numbers'> & { readonly from: number; readonly to: number },
): Steps<void> {
  const fold = FOLDS[level]
  let units = 0
  for (let i = from; i < to; i++) {
    const line = fold(table.line(i))
    const id = numbers.get(line) ?? numbers.size
    if (id === numbers.size) numbers.set(line, id)
    ids[i] = id
    units += 32 + line.length
    if (units < UNITS_A_STEP) continue
    units = 0
    yield
  }
}

export function* byNumber(ids: Int32Array, numbers: Map<string, number>, level: PatchLevel): Steps<LineIndex> {
  const counts = new Int32Array(numbers.size)
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] ?? 0
    counts[id] = (counts[id] ?? 0) + 1
    if (i % NUMBERS_A_STEP === NUMBERS_A_STEP - 1) yield
  }
  const ends = new Int32Array(counts.length)
  let end = 0
  for (let id = 0; id < ends.length; id++) {
    ends[id] = end
    end += counts[id] ?? 0
  }
  yield
  const order = new Int32Array(ids.length)
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] ?? 0
    const at = ends[id] ?? 0
    order[at] = i
    ends[id] = at + 1
    if (i % NUMBERS_A_STEP === NUMBERS_A_STEP - 1) yield
  }
  return {
    ids,
    numbers,
    idOf: (line) => numbers.get(FOLDS[level](line)),
    order,
    range: (id) => ({ from: (ends[id] ?? 0) - (counts[id] ?? 0), to: ends[id] ?? 0 }),
  }
}
