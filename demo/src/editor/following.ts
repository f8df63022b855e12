import { changedLines, NO_CHANGES } from '../text/changed-lines.js'
import { splitLines } from '../text/lines.js'
import type { LoadedFile } from '../text/load-file.js'
import { visibleNameText } from '../visible.js'
import type { CodeEditor } from './code-editor.js'
import { isEditable, type OpenFile } from './open-file.js'
import type { TextBuffer } from './text-buffer.js'

/** Result of reading a file. */
export interface Look {
  /** Whether the view has to be redrawn. */
  readonly isNew: boolean
  /** First changed line, 1-based. */
  readonly line?: number
  /** Message for the user. */
  readonly say?: string
}

/** Updates an open file with its current content. `original`: the lines of the original, if they differ. */
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

/** Updates a file that was not edited. */
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

/** Keeps the edited text and stores the file's new content beside it. */
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

/** Handles a file that could not be read. Keeps the edited text. */
export function takeLoss(one: OpenFile, text: string): Look {
  const before = [one.gone, one.problem]
  one.gone = text.startsWith('ENOENT')
  one.theirs = undefined
  if (one.gone && !one.buffer?.isDirty) one.buffer = undefined
  one.problem = one.gone || one.buffer ? undefined : text
  const isNew = before[0] !== one.gone || before[1] !== one.problem
  return { isNew, ...(one.buffer && !one.gone && { say: text }) }
}

/** Creates the buffer of a text file. Puts the file's draft into the buffer, if there is one. */
export function takeUp(one: OpenFile, editor: CodeEditor, isReadOnly: boolean): TextBuffer {
  const { file, draft } = one
  if (!isEditable(file)) throw new Error(`${one.path} is no text to edit`)
  const isOld = draft?.base !== undefined && draft.base !== file.text
  // The draft was written for an older version of the file, so the file counts as changed elsewhere.
  const base = isOld ? { ...file, text: draft.base, ...splitLines(draft.base), version: '' } : file
  const buffer = editor.create(base, isReadOnly)
  if (draft) buffer.replace(draft.text)
  if (isOld && buffer.isDirty && buffer.text !== file.text) {
    one.file = base
    one.theirs = file
  } else if (isOld) buffer.follow(file)
  one.draft = undefined
  buffer.mark(one.original, one.fresh)
  return buffer
}
