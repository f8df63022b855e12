import type { FoundLine } from './find-text.js'
import type { Marker } from './marks.js'
import type { Piece } from './preview.js'

/** A file with what was found in it. */
export interface FileRow {
  readonly kind: 'file'
  readonly path: string
  readonly lines: LineRow[]
  /** 1-based, among the files. */
  readonly place: number
  isOpen: boolean
  /** Place among the rows that are shown; of a row that is not, where it was. */
  at: number
}

export interface LineRow {
  readonly kind: 'line'
  readonly file: FileRow
  readonly found: FoundLine
  readonly mark: Marker
  /** As it is shown, when it has been. */
  pieces: readonly Piece[] | undefined
  /** 1-based, among the lines of its file. */
  readonly place: number
  at: number
}

export type Row = FileRow | LineRow

/** What was found, in the order in which it came. */
export interface Results {
  readonly files: readonly FileRow[]
  /** Lines of all files. */
  readonly count: number
  add(lines: readonly FoundLine[], mark: Marker): void
  clear(): void
  /** The rows of files, and of lines where the file is open. */
  rows(): readonly Row[]
}

export function createResults(): Results {
  let files: FileRow[] = []
  let count = 0

  /** The lines of one file come one after another. */
  function fileOf(path: string): FileRow {
    const last = files.at(-1)
    if (last?.path === path) return last
    const file: FileRow = { kind: 'file', path, lines: [], place: files.length + 1, isOpen: true, at: -1 }
    files.push(file)
    return file
  }

  return {
    get files() {
      return files
    },
    get count() {
      return count
    },
    add(lines, mark) {
      for (const found of lines) {
        const file = fileOf(found.path)
        file.lines.push({ kind: 'line', file, found, mark, pieces: undefined, place: file.lines.length + 1, at: -1 })
      }
      count += lines.length
    },
    clear() {
      files = []
      count = 0
    },
    rows() {
      const rows = files.flatMap((file): Row[] => (file.isOpen ? [file, ...file.lines] : [file]))
      rows.forEach((row, at) => {
        row.at = at
      })
      return rows
    },
  }
}
