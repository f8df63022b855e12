import { type ChangedLines, changedLines } from '../text/changed-lines.js'
import type { LoadedFile } from '../text/load-file.js'
import { visibleNameText } from '../visible.js'
import { isEditable, type OpenFile } from './open-file.js'
import type { TextBuffer } from './text-buffer.js'

/** What came of a look at a file. */
export interface Look {
  /** There is something to show. */
  readonly isNew: boolean
  /** The first line that changed, 1-based. */
  readonly line?: number
  /** To be told. */
  readonly say?: string
}

const NO_CHANGES: ChangedLines = { changed: new Set(), removedBefore: new Set() }

/** What a file holds by now is taken on. `original`: its lines in the beginning, where they have changed since. */
export function takeOn(one: OpenFile, file: LoadedFile, original: readonly string[] | undefined): Look {
  const { buffer, file: before } = one
  const wasLost = one.gone || one.problem !== undefined
  one.gone = false
  one.problem = undefined
  if (!wasLost && file === (one.theirs ?? before)) {
    const isNew = original?.join('\n') !== one.original?.join('\n')
    one.original = original
    if (isNew) buffer?.mark(original)
    return { isNew }
  }
  one.original = original
  return buffer?.isDirty ? takeBeside(one, buffer, file) : takeOver(one, buffer, file, before)
}

/** Nothing was edited: it is as the file is. */
function takeOver(one: OpenFile, buffer: TextBuffer | undefined, file: LoadedFile, before: LoadedFile | undefined): Look {
  const changes = before?.kind === 'text' && file.kind === 'text' ? changedLines(before.lines, file.lines) : NO_CHANGES
  one.file = file
  one.theirs = undefined
  one.fresh = changes.changed
  if (buffer && isEditable(file)) {
    buffer.follow(file)
    buffer.mark(one.original, one.fresh)
  } else one.buffer = undefined
  const first = Math.min(...changes.changed, ...changes.removedBefore)
  return { isNew: true, ...(Number.isFinite(first) && { line: first + 1 }) }
}

/** What was edited stays, and the file is beside it. */
function takeBeside(one: OpenFile, buffer: TextBuffer, file: LoadedFile): Look {
  const isSame = file.kind === 'text' && file.text === buffer.text
  const isAsBefore = file.kind === 'text' && one.file?.kind === 'text' && file.text === one.file.text
  const wasMerging = buffer.comparing === 'merge'
  if (isSame || isAsBefore) {
    one.file = file
    one.theirs = undefined
    if (isSame) buffer.markSaved(buffer.capture())
    else if (wasMerging) buffer.stopComparing()
  } else {
    one.theirs = file
    buffer.stopComparing()
    if (wasMerging && isEditable(file)) one.clashes = buffer.startMerge(file)
  }
  buffer.mark(one.original)
  return { isNew: true, ...(one.theirs && { say: `${visibleNameText(one.path)} has changed underneath` }) }
}

/** A file could not be read. What was edited stays. */
export function takeLoss(one: OpenFile, text: string): Look {
  const before = [one.gone, one.problem]
  one.gone = text.startsWith('ENOENT')
  one.theirs = undefined
  if (one.gone && !one.buffer?.isDirty) one.buffer = undefined
  one.problem = one.gone || one.buffer ? undefined : text
  const isNew = before[0] !== one.gone || before[1] !== one.problem
  return { isNew, ...(one.buffer && !one.gone && { say: text }) }
}
