import { foldUnicode } from '../edit-fold.js'
import { IntList } from '../int-list.js'
import type { Steps } from '../steps.js'

/** How lines were found; each level is tried only where the ones before it have no match at all. */
export type PatchLevel = 'exact' | 'trailing_space' | 'surrounding_space' | 'unicode'

export const PATCH_LEVELS: readonly PatchLevel[] = ['exact', 'trailing_space', 'surrounding_space', 'unicode']

export const FOLDS: Readonly<Record<PatchLevel, (line: string) => string>> = {
  exact: (line) => line,
  trailing_space: (line) => line.trimEnd(),
  surrounding_space: (line) => line.trim(),
  unicode: (line) => (line.length > UNITS_A_STEP ? line : foldUnicode(line)).trim(),
}

const LINES_A_STEP = 8192
/** Numbers of lines counted, or put in order, in one step. */
const NUMBERS_A_STEP = 1_048_576
/** Code units folded in one step: a longer line is compared as it is. */
const UNITS_A_STEP = 262_144

/** A text by its lines. They end at LF or CRLF; a lone CR is a character like any other. */
export interface LineTable {
  readonly text: string
  readonly count: number
  /** Where each line begins, and where the text ends. */
  readonly starts: Int32Array
  /** Without its line break. */
  line(index: number): string
  /** Empty for a last line without one. */
  ending(index: number): '' | '\n' | '\r\n'
  /** The lines by what they are at a level; made when it is first asked for, in steps. */
  index(level: PatchLevel): Steps<LineIndex>
  /** The indexes that were asked for so far. */
  readonly indexes: ReadonlyMap<PatchLevel, LineIndex>
}

/** Equal lines have one number. */
export interface LineIndex {
  readonly ids: Int32Array
  /** The numbers by what the lines are at this level. */
  readonly numbers: Map<string, number>
  /** Undefined: no line of the text is equal. */
  idOf(line: string): number | undefined
  /** The lines with this number, ascending: `order[from]` to `order[to - 1]`. */
  readonly order: Int32Array
  range(id: number): { readonly from: number; readonly to: number }
}

/** `indexes`: those that are there already; others are added to them. */
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

/** Gives the lines `[from, to)` their numbers, and new ones to lines that have none. */
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
