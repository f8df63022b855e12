import type { LoadedFile, LoadedText } from '../text/load-file.js'
import type { Draft } from './drafts.js'
import type { TextBuffer } from './text-buffer.js'

/** A file that has a tab, and what is known of it. */
export interface OpenFile {
  /** Relative to the root. */
  path: string
  /** As it was read last, or saved: what the text that is edited began with. */
  file?: LoadedFile
  /** What it holds now, when that is not what the text that is edited began with. */
  theirs?: LoadedFile | undefined
  /** It was there, and is no more. */
  gone: boolean
  /** Why it cannot be shown. */
  problem?: string | undefined
  /** Its lines in the beginning, where it has changed since. */
  original?: readonly string[] | undefined
  /** 0-based lines that the last change made. */
  fresh: ReadonlySet<number>
  /** Once the editor is there. */
  buffer?: TextBuffer | undefined
  /** A text to put into the buffer: it was not saved when the page was left. */
  draft?: Draft | undefined
  /** Places that both sides have changed, while they are put together. */
  clashes: number
  /** Counts reads: the answer of one that another overtook is dropped. */
  reads: number
  /** When it was shown last, counted. */
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

/** Larger texts are shown in pages, and not edited. */
const MAX_EDITED = 2 * 1024 * 1024

export const isEditable = (file: LoadedFile | undefined): file is LoadedText =>
  file?.kind === 'text' && !file.cut && file.size <= MAX_EDITED

export const isDirty = ({ buffer, draft }: OpenFile): boolean => buffer?.isDirty ?? draft !== undefined

export const hasTrouble = (one: OpenFile): boolean => one.theirs !== undefined || one.gone

/** What it says, edited or not. Undefined: it is no text, or cannot be read. */
export function textOf(one: OpenFile | undefined): string | undefined {
  return one?.buffer?.text ?? (one?.file?.kind === 'text' && one.problem === undefined && !one.gone ? one.file.text : undefined)
}

/** Where a path is after a move of it, or of a directory above it. Undefined: the move is of something else. */
export function pathAfter(path: string, from: string, to: string): string | undefined {
  if (path === from) return to
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : undefined
}
