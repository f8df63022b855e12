import { foldUnicode } from '../edit-fold.js'
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
/** Code units folded in one step: a longer line is compared as it is. */
const UNITS_A_STEP = 262_144

/** A text by its lines. They end at LF or CRLF; a lone CR is a character like any other. */
export interface LineTable {
  readonly text: string
  readonly count: number
  /** Where each line begins, and where the text ends. */
  readonly starts: readonly number[]
  /** Without its line break. */
  line(index: number): string
  /** Empty for a last line without one. */
  ending(index: number): '' | '\n' | '\r\n'
  /** The lines by what they are at a level; made when it is first asked for, in steps. */
  index(level: PatchLevel): Steps<LineIndex>
}

/** Equal lines have one number. */
export interface LineIndex {
  readonly ids: Int32Array
  /** Undefined: no line of the text is equal. */
  idOf(line: string): number | undefined
  /** The lines with this number, ascending: `order[from]` to `order[to - 1]`. */
  readonly order: Int32Array
  range(id: number): { readonly from: number; readonly to: number }
}

export function* lineTable(text: string): Steps<LineTable> {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1)
    if (starts.length % LINES_A_STEP === 0) yield
  }
  if (starts.at(-1) !== text.length) starts.push(text.length)
  const indexes = new Map<PatchLevel, LineIndex>()
  const table: LineTable = {
    text,
    count: starts.length - 1,
    starts,
    line: (index) => text.slice(starts[index], (starts[index + 1] ?? 0) - table.ending(index).length),
    ending(index) {
      const end = starts[index + 1] ?? 0
      if (text.charCodeAt(end - 1) !== 10) return ''
      return text.charCodeAt(end - 2) === 13 && end - 2 >= (starts[index] ?? 0) ? '\r\n' : '\n'
    },
    *index(level) {
      const index = indexes.get(level) ?? (yield* lineIndex(table, FOLDS[level]))
      indexes.set(level, index)
      return index
    },
  }
  return table
}

function* lineIndex(table: LineTable, fold: (line: string) => string): Steps<LineIndex> {
  const ids = new Int32Array(table.count)
  const known = new Map<string, number>()
  const counts: number[] = []
  let units = 0
  for (let i = 0; i < ids.length; i++) {
    const line = fold(table.line(i))
    let id = known.get(line)
    if (id === undefined) {
      id = counts.length
      known.set(line, id)
      counts.push(0)
    }
    ids[i] = id
    counts[id] = (counts[id] ?? 0) + 1
    units += 32 + line.length
    if (units < UNITS_A_STEP) continue
    units = 0
    yield
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
  }
  return {
    ids,
    idOf: (line) => known.get(fold(line)),
    order,
    range: (id) => ({ from: (ends[id] ?? 0) - (counts[id] ?? 0), to: ends[id] ?? 0 }),
  }
}
