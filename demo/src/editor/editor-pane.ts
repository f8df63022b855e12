import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import { whenLong } from '../pace.js'
import { createRunPanel, isProgram, type RunPanelOptions } from '../run/run-panel.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { splitLines } from '../text/lines.js'
import { decode, type LoadedFile, loadFile } from '../text/load-file.js'
import { visibleNameText } from '../visible.js'
import { ask } from './ask.js'
import { createDraftKeeper } from './draft-keeper.js'
import { createDraftOffer } from './draft-offer.js'
import type { Draft, DraftStore } from './drafts.js'
import { createFileSaving } from './file-saving.js'
import { createFileView } from './file-view.js'
import { type Look, takeLoss, takeOn, takeUp } from './following.js'
import { loadCodeEditor } from './late-editor.js'
import { isDirty, isEditable, newFile, type OpenFile, pathAfter } from './open-file.js'
import { isReadOnly, type PaneState } from './pane-state.js'
import type { TextBuffer } from './text-buffer.js'

export interface EditorPane {
  readonly element: HTMLElement
  /** Path of the shown file, relative to the root. */
  readonly path: string | undefined
  /** Switches to another workspace. Unsaved texts are stored as drafts, and offered when the workspace is opened again. */
  use(session: Session): void
  /** Switches to a copy of the workspace. Open files and unsaved changes stay. Call `refresh` afterwards. */
  goOn(session: Session): Promise<void>
  /** Number of open files with unsaved changes. */
  readonly unsaved: number
  /** Number of unsaved files whose drafts did not fit into the browser's storage. */
  readonly lacking: number
  /** Opens a file in its tab, at `line` (1-based) if given. */
  open(path: string, line?: number): Promise<void>
  /** Reads the open files again. Unedited files are updated; edited files can be merged. */
  refresh(): Promise<void>
  /** Updates open files after a file or directory was moved. Relative paths. */
  moved(from: string, to: string): void
  /** Scrolls to a line that could not be shown while the pane was hidden. */
  catchUp(): void
  focus(): void
  /** Saves the shown file. False: saving failed, and the pane shows why. */
  save(): Promise<boolean>
  /** Whether the open file is a program. */
  readonly canRun: boolean
  /** Saves the open file and runs it. The output appears below the file. */
  run(): Promise<void>
  dispose(): void
}

export interface EditorPaneOptions extends Omit<RunPanelOptions, 'onRunning' | 'onClose'> {
  /** Shows a file in the preview. */
  readonly onPreview: (path: string) => void
  readonly drafts: DraftStore
  /** Shown while no file is open. */
  readonly noFile: HTMLElement
  /** Called after a file was saved. */
  readonly onSaved: () => Promise<void>
  /** Called when another file is shown. Undefined: the last file was closed. */
  readonly onShow: (path: string | undefined) => void
}

/** Beyond this number, the least recently used tabs without unsaved changes are closed. */
const MAX_TABS = 20

/** Open files in tabs: editable text, loaded on demand, and a read-only view for everything else. Programs can be run. */
export function createEditorPane({ drafts, noFile, onPreview, onSaved, onShow, ...options }: EditorPaneOptions): EditorPane {
  const state: PaneState = { session: undefined, files: [], active: undefined, code: undefined }
  let shows = 0
  let isDisposed = false
  /** A line to scroll to when the pane becomes visible again. */
  let waiting: number | undefined

  const save = (one = state.active, isOver = false): Promise<boolean> => saving.save(one, isOver)
  const view = createFileView({
    state,
    noFile,
    isProgram,
    remedies: {
      save: (one, isOver) => void save(one, isOver),
      drop,
      merge: (one) => saving.merge(one),
      takeTheirs: (one) => saving.takeTheirs(one),
      step: (direction) => state.code?.step(direction),
    },
    bufferOf(editor, one) {
      const buffer = takeUp(one, editor, isReadOnly(state))
      keeper.note(one)
      return buffer
    },
    onSelect: (path) => void open(path),
    onClose: (path) => void close(path),
    onRun: () => void run(),
    onPreview: () => void showPreview(),
    onSave: () => void save(),
    onChanges: toggleChanges,
  })
  const { body, runButton } = view
  const program = createRunPanel({
    ...options,
    onRunning: (running) => runButton.setAttribute('aria-disabled', String(running)),
    onClose: () => (runButton.hidden ? body : runButton).focus(),
  })
  const keeper = createDraftKeeper(drafts, () => state.files)
  const offer = createDraftOffer(keeper, { onOpen: (kept) => void restore(kept), onLeave: () => body.focus() })
  const saving = createFileSaving({ state, view, keeper, look, open, onSaved })
  const split = h('div', { class: 'view-split' })
  const handle = createSplitHandle(split, 'Room for the file')
  split.append(body, handle, program.element)
  const element = h(
    'section',
    { class: 'pane pane-view', 'aria-labelledby': view.titleId },
    view.tabs,
    view.head,
    offer.element,
    view.bar,
    split,
    view.foot,
  )

  const find = (path: string): OpenFile | undefined => state.files.find((one) => one.path === path)

  // Reading

  /** Reads a file. Resolves to false if nothing changed. */
  async function look(one: OpenFile): Promise<boolean> {
    const own = state.session
    if (!own) return false
    one.reads += 1
    const mine = one.reads
    const known = one.gone || one.problem !== undefined ? undefined : (one.theirs ?? one.file)
    try {
      const file = await loadFile(own.workspace, one.path, known)
      // Without the stored original, no lines are marked as changed.
      const beginning = file.kind === 'text' ? await own.original(one.path).catch(() => undefined) : undefined
      const text = beginning && decode(beginning)
      if (mine !== one.reads || own !== state.session) return false
      return heed(one, takeOn(one, file, text === undefined ? undefined : splitLines(text).lines))
    } catch (error) {
      if (mine !== one.reads || own !== state.session) return false
      return heed(one, takeLoss(one, messageOf(error)))
    }
  }

  /** Reads a file that is not shown yet. */
  async function firstLook(one: OpenFile): Promise<void> {
    let takeBack = (): void => undefined
    const tell = (): void => {
      if (state.active === one) takeBack = view.tell(`Opening ${visibleNameText(one.path)}…`)
    }
    await whenLong(tell, () => look(one))
    takeBack()
  }

  function heed(one: OpenFile, { isNew, line, say }: Look): boolean {
    if (isNew && one === state.active) waiting = line
    if (isNew) keeper.note(one)
    if (say !== undefined) view.tell(say)
    return isNew
  }

  // Showing

  /** Scrolls to the changed line, unless the user works in the editor. */
  function catchUp(): void {
    if (waiting === undefined || body.clientHeight === 0) return
    view.reveal(waiting)
    waiting = undefined
  }

  async function open(path: string, line?: number): Promise<void> {
    const known = find(path)
    const one = known ?? newFile(path)
    if (!known) state.files = [...withRoom(state.files), one]
    shows += 1
    one.used = shows
    if (state.active !== one) {
      state.active = one
      view.tell('')
      program.follow(path)
      if (known) view.draw()
      else {
        view.drawHead()
        view.drawTabs()
      }
      onShow(path)
    }
    await (known ? look(one) : firstLook(one))
    if (state.active !== one) return
    one.fresh = new Set(line === undefined ? [] : [line - 1])
    one.buffer?.mark(one.original, one.fresh)
    view.draw(line === undefined ? {} : { line })
    waiting = body.clientHeight === 0 ? line : undefined
    if (!state.code) void startEditing(line)
  }

  /** Loads the editor and replaces the read-only view. */
  async function startEditing(line?: number): Promise<void> {
    if (!isEditable(state.active?.file)) return
    try {
      const { createCodeEditor } = await loadCodeEditor()
      if (isDisposed || state.code) return
      state.code = createCodeEditor(view.host, { onEdit, onPlace: view.tellPlace, hint: view.hintId })
      if (isEditable(state.active?.file)) view.draw(line === undefined ? { topLine: view.topLine } : { line })
    } catch (error) {
      view.tell(`The editor could not be loaded, so the file is read-only: ${messageOf(error)}`)
    }
  }

  function withRoom(all: readonly OpenFile[]): readonly OpenFile[] {
    if (all.length < MAX_TABS) return all
    const clean = all.filter((one) => !isDirty(one) && one !== state.active).sort((a, b) => a.used - b.used)
    return all.filter((one) => one !== clean[0])
  }

  async function refresh(): Promise<void> {
    const changed = await Promise.all(state.files.map((one) => (one.file || one.gone || one.problem !== undefined ? look(one) : false)))
    if (state.active && changed[state.files.indexOf(state.active)]) {
      view.draw()
      catchUp()
    } else view.drawTabs()
  }

  function onEdit(buffer: TextBuffer): void {
    const one = state.files.find((other) => other.buffer === buffer)
    if (!one) return
    if (!keeper.note(one)) view.tell('This text is too long to be kept over a reload: save it')
    view.drawState()
  }

  function toggleChanges(): void {
    const buffer = state.active?.buffer
    if (!buffer) return
    if (buffer.comparing === 'unsaved') buffer.stopComparing()
    else buffer.showUnsaved()
    view.drawState()
  }

  async function run(): Promise<void> {
    const one = state.active
    if (!one || runButton.hidden) return
    // Saves first, so that the visible text is the text that runs.
    if (isDirty(one) && !(await save(one))) return
    await program.run(one.path)
  }

  async function showPreview(): Promise<void> {
    const one = state.active
    if (!one || (isDirty(one) && !(await save(one)))) return
    onPreview(one.path)
  }

  // Closing

  async function close(path: string): Promise<void> {
    const one = find(path)
    if (!one) return
    if (isDirty(one)) {
      if (state.active !== one) await open(path)
      const name = visibleNameText(path.slice(path.lastIndexOf('/') + 1))
      const answer = await ask(element, `Save ${name}?`, 'It has changes that are not saved. Without saving they are lost.', [
        { label: 'Save', value: 'save', primary: true },
        { label: 'Discard', value: 'discard' },
        { label: 'Cancel', value: '' },
      ])
      if (answer === undefined || (answer === 'save' && !(await save(one)))) return
    }
    drop(one)
  }

  function drop(one: OpenFile): void {
    const at = state.files.indexOf(one)
    if (at < 0) return
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body
    state.files = state.files.filter((other) => other !== one)
    keeper.forget(one)
    const next = state.files[at] ?? state.files[at - 1]
    if (state.active !== one) view.drawTabs()
    else if (next) void open(next.path)
    else closeAll()
    if (hadFocus) next ? view.focusTab() : body.focus()
  }

  function closeAll(): void {
    state.files = []
    state.active = undefined
    waiting = undefined
    program.follow(undefined)
    view.tell('')
    view.draw()
    onShow(undefined)
  }

  // Text that was not saved

  async function restore(kept: readonly Draft[]): Promise<void> {
    const taken = new Set<OpenFile>()
    for (const draft of kept.toSorted((a, b) => b.time - a.time)) {
      const one = find(draft.path) ?? newFile(draft.path)
      // Older drafts of the same file stay stored.
      if (taken.has(one)) continue
      taken.add(one)
      if (!state.files.includes(one)) state.files = [...state.files, one]
      await takeBack(one, draft)
    }
    const first = kept[0] && find(kept[0].path)
    if (!first) return
    state.active = undefined
    await open(first.path)
  }

  async function takeBack(one: OpenFile, draft: Draft): Promise<void> {
    keeper.adopt(one, draft)
    if (one.buffer && isDirty(one)) {
      // Undo restores the text typed since.
      one.buffer.replace(draft.text)
      return
    }
    one.draft = draft
    one.buffer = undefined
    await look(one)
    // The file was deleted meanwhile, but its draft can still be saved.
    if (one.gone) one.file = emptyFile(draft)
  }

  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && state.active?.buffer?.comparing === 'unsaved' && !event.defaultPrevented) toggleChanges()
  })
  closeAll()
  return {
    element,
    get path() {
      return state.active?.path
    },
    use(next) {
      keeper.use(next)
      state.session = next
      program.use(next)
      closeAll()
      void offer.offer()
    },
    async goOn(next) {
      state.session = next
      program.use(next)
      program.follow(state.active?.path)
      offer.end()
      await keeper.goOn(next)
      await offer.offer()
    },
    get lacking() {
      return keeper.lacking()
    },
    get unsaved() {
      return state.files.filter(isDirty).length
    },
    open,
    refresh,
    moved(from, to) {
      for (const one of state.files) {
        const path = pathAfter(one.path, from, to)
        if (path === undefined) continue
        const other = find(path)
        if (other && other !== one) state.files = state.files.filter((kept) => kept !== (isDirty(other) ? one : other))
        keeper.forget(one)
        one.path = path
        if (one.file) one.file = { ...one.file, path }
        if (one.buffer) state.code?.rename(one.buffer, path)
        keeper.note(one)
      }
      if (state.active && !state.files.includes(state.active)) state.active = state.files.find(({ path }) => path === state.active?.path)
      program.follow(state.active?.path)
      view.drawHead()
      view.drawState()
    },
    catchUp,
    // The read-only view passes the focus on when the editor has loaded.
    focus: () => (view.isEditing ? (state.code ?? body) : body).focus(),
    save: () => save(),
    get canRun() {
      return !runButton.hidden
    },
    run,
    dispose() {
      isDisposed = true
      offer.end()
      keeper.dispose()
      state.code?.dispose()
    },
  }
}

function emptyFile({ path }: Draft): LoadedFile {
  return { path, size: 0, version: '', kind: 'text', text: '', bom: false, cut: false, ...splitLines('') }
}
