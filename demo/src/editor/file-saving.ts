import { messageOf } from '../notice.js'
import { whenLong } from '../pace.js'
import type { Session } from '../session.js'
import { splitLines } from '../text/lines.js'
import type { LoadedText } from '../text/load-file.js'
import { visibleNameText } from '../visible.js'
import type { DraftKeeper } from './draft-keeper.js'
import type { FileView } from './file-view.js'
import { isEditable, type OpenFile } from './open-file.js'
import { isReadOnly, type PaneState } from './pane-state.js'

export interface FileSavingOptions {
  readonly state: PaneState
  readonly view: FileView
  readonly keeper: DraftKeeper
  /** Reads a file again. */
  readonly look: (one: OpenFile) => Promise<unknown>
  readonly open: (path: string) => Promise<void>
  /** Called after a file was saved. */
  readonly onSaved: () => Promise<void>
}

/** Saves files and merges edits with changes made elsewhere. */
export interface FileSaving {
  /**
   * Saves the file after its pending save. `isOver`: overwrite a newer version, which the user may not have seen. False: saving failed, and
   * the user was told.
   */
  save(one: OpenFile | undefined, isOver?: boolean): Promise<boolean>
  /** Shows a merge of the edited text with the file's current content. */
  merge(one: OpenFile): void
  /** Replaces the text by the file's current content, as an edit that can be undone. */
  takeTheirs(one: OpenFile): void
}

export function createFileSaving({ state, view, keeper, look, open, onSaved }: FileSavingOptions): FileSaving {
  function save(one: OpenFile | undefined, isOver = false): Promise<boolean> {
    if (!one?.buffer) return Promise.resolve(false)
    // A failed save reports itself and does not block the next one.
    one.saving = one.saving.catch(() => false).then(() => saveNow(one, isOver))
    return one.saving
  }

  async function saveNow(one: OpenFile, isOver: boolean): Promise<boolean> {
    const { buffer, file, theirs } = one
    const own = state.session
    if (!own || !buffer || file?.kind !== 'text') return false
    if (isReadOnly(state)) return failed('This workspace is read-only')
    if (theirs && !isOver && buffer.comparing !== 'merge') {
      merge(one)
      return false
    }
    if (!buffer.isDirty && !theirs && !one.gone) {
      view.tell('It is saved already')
      return true
    }
    const captured = buffer.capture()
    const expect = one.gone ? undefined : (theirs ?? file).version
    try {
      const wanted = { path: one.path, text: captured.text, bom: file.bom, expect, isOver: theirs !== undefined }
      one.file = await whenLong(
        () => view.tell(`Saving ${visibleNameText(one.path)}…`),
        () => writeFile(own, wanted),
      )
    } catch (error) {
      if (!isStale(error)) return failed(`Not saved: ${messageOf(error)}`)
      await look(one)
      if (state.active === one) view.draw()
      merge(one)
      return failed(`Not saved: ${visibleNameText(one.path)} has changed underneath`)
    }
    one.theirs = undefined
    one.gone = false
    one.fresh = new Set()
    buffer.markSaved(captured)
    keeper.note(one)
    const saved = `Saved ${visibleNameText(one.path)}`
    view.tell(theirs ? `${saved}. What was there is in the timeline` : saved)
    await onSaved()
    await look(one)
    if (state.active === one) view.draw()
    else view.drawTabs()
    return true
  }

  function failed(text: string): false {
    view.tell(text)
    view.drawState()
    return false
  }

  function merge(one: OpenFile): void {
    if (!one.buffer || !isEditable(one.theirs)) return
    if (state.active !== one) void open(one.path)
    one.clashes = one.buffer.startMerge(one.theirs)
    view.drawState()
    state.code?.focus()
  }

  function takeTheirs(one: OpenFile): void {
    const { theirs, buffer } = one
    if (!theirs || !buffer) return
    one.file = theirs
    one.theirs = undefined
    if (isEditable(theirs)) {
      buffer.follow(theirs, true)
      buffer.mark(one.original, new Set())
      view.tell('What was there is taken. Undo brings back yours')
    } else one.buffer = undefined
    keeper.note(one)
    view.draw()
  }

  return { save, merge, takeTheirs }
}

interface ToSave {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
  readonly bom: boolean
  /** Expected version of the file. Undefined: the file must not exist and is created. */
  readonly expect: string | undefined
  /** Whether the save overwrites content that the user has not seen. A checkpoint is required then. */
  readonly isOver: boolean
}

/**
 * Writes a text after taking a checkpoint, so that the previous content can be restored.
 *
 * @throws {FsError} ESTALE, EEXIST when the file has changed meanwhile; and any error of a write
 */
async function writeFile({ workspace }: Pick<Session, 'workspace'>, { path, text, bom, expect, isOver }: ToSave): Promise<LoadedText> {
  const kept = workspace.checkpoint({ label: `Before saving ${path}`.slice(0, 200), reuse: true })
  // If no checkpoint can be taken, content that the user has seen is still overwritten; unseen content is not.
  await (isOver ? kept : kept.catch(() => undefined))
  const { version, bytesAfter } = await workspace.writeText(path, text, {
    bom,
    ...(expect === undefined ? { mode: 'create' as const } : { expect }),
  })
  return { path, size: bytesAfter, version, kind: 'text', text, bom, cut: false, ...splitLines(text) }
}

/** Whether an error reports a stale write. */
function isStale(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return code === 'ESTALE' || code === 'EEXIST'
}
