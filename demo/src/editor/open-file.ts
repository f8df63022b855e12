import type { LoadedFile, LoadedText } from '../text/load-file.js'
import type { Draft } from './drafts.js'
import type { TextBuffer } from './text-buffer.js'

/** The state of a file that has a tab. */
export interface OpenFile {
  /** Relative to the root. */
  path: string
  /** The base version: as last read or saved, before the user's edits. */
  file?: LoadedFile
  /** The file's current content, if it differs from the base version. */
  theirs?: LoadedFile | undefined
  /** Whether the file was deleted. */
  gone: boolean
  /** Why the file cannot be shown. */
  problem?: string | undefined
  /** Original lines, if the file has changed since. */
  original?: readonly string[] | undefined
  /** Lines that the last change made, 0-based. */
  fresh: ReadonlySet<number>
  /** Set once the editor has loaded. */
  buffer?: TextBuffer | undefined
  /** A draft to put into the buffer. */
  draft?: Draft | undefined
  /** Number of conflicts during a merge. */
  clashes: number
  /** Counts reads, so that an outdated result is dropped. */
  reads: number
  /** Value of the use counter when the tab was last used. The lowest value is the least recently used tab. */
  used: number
  saving: Promise<boolean>
}

export const newFile = (path: string): OpenFile => ({
  path,
  gone: false,
  fresh: new Set(),
  clashes: 0,
  reads: 0,
  used: 0,
  saving: Promise.resolve(true),
})

/** Larger texts are shown in pages and cannot be edited. */
const MAX_EDITED = 2 * 1024 * 1024

export const isEditable = (file: LoadedFile | undefined): file is LoadedText =>
  file?.kind === 'text' && !file.cut && file.size <= MAX_EDITED

export const isDirty = ({ buffer, draft }: OpenFile): boolean => buffer?.isDirty ?? draft !== undefined

export const hasTrouble = (one: OpenFile): boolean => one.theirs !== undefined || one.gone

/** Current text, edited or not. Undefined if the file is not a text or cannot be read. */
export function textOf(one: OpenFile | undefined): string | undefined {
  return one?.buffer?.text ?? (one?.file?.kind === 'text' && one.problem === undefined && !one.gone ? one.file.text : undefined)
}

/** The new path after a file or one of its parent directories was moved. Undefined if the move does not affect the path. */
export function pathAfter(path: string, from: string, to: string): string | undefined {
  if (path === from) return to
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : undefined
}
