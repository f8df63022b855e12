import type { FoundLine } from './find-text.js'
import type { Marker } from './marks.js'
import type { Piece } from './preview.js'

/** A file with its matching lines. */
export interface FileRow {
  readonly kind: 'file'
  readonly path: string
  readonly lines: LineRow[]
  /** Position among the files, 1-based. */
  readonly place: number
  isOpen: boolean
  /** Index among the visible rows. While the row is hidden, its last index. */
  at: number
}

export interface LineRow {
  readonly kind: 'line'
  readonly file: FileRow
  readonly found: FoundLine
  readonly mark: Marker
  /** Set after the row was first rendered. */
  pieces: readonly Piece[] | undefined
  /** Position among the lines of its file, 1-based. */
  readonly place: number
  at: number
}

export type Row = FileRow | LineRow

/** The search results, in order of arrival. */
export interface Results {
  readonly files: readonly FileRow[]
  /** Number of lines in all files. */
  readonly count: number
  add(lines: readonly FoundLine[], mark: Marker): void
  clear(): void
  /** The visible rows: all files, and the lines of expanded files. */
  rows(): readonly Row[]
}

export function createResults(): Results {
  let files: FileRow[] = []
  let count = 0

  /** All lines of one file arrive consecutively. */
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
