import { copyButton } from '../copy-button.js'
import { h } from '../dom.js'
import { messageOf } from '../notice.js'
import { createRunPanel, isProgram, type RunPanelOptions } from '../run/run-panel.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { type ChangedLines, changedLines } from '../text/changed-lines.js'
import { splitLines } from '../text/lines.js'
import { decode, type LoadedFile, loadFile } from '../text/load-file.js'
import { createPlainView } from '../text/plain-view.js'
import { visibleName, visibleNameText } from '../visible.js'
import { ask } from './ask.js'
import type { CodeEditor, Place } from './code-editor.js'
import { conditionOf } from './conditions.js'
import { createDraftKeeper } from './draft-keeper.js'
import { createDraftOffer } from './draft-offer.js'
import type { Draft, DraftStore } from './drafts.js'
import { createEditorTabs } from './editor-tabs.js'
import { factsOf } from './facts.js'
import { type Look, takeLoss, takeOn } from './following.js'
import { createFrame } from './frame.js'
import { loadCodeEditor } from './late-editor.js'
import { hasTrouble, isDirty, isEditable, newFile, type OpenFile, pathAfter } from './open-file.js'
import { isStale, writeFile } from './saving.js'
import { createStateBar } from './state-bar.js'
import type { TextBuffer } from './text-buffer.js'

export interface EditorPane {
  readonly element: HTMLElement
  /** Path relative to the root of the file that is shown. */
  readonly path: string | undefined
  /** Takes up another workspace. What is not saved is kept, and offered when the workspace is opened again. */
  use(session: Session): void
  /** Takes up a copy of the workspace: its files stay open as they are, with what is not saved. `refresh` then. */
  goOn(session: Session): Promise<void>
  /** How many of the open files are not saved. */
  readonly unsaved: number
  /** How many of those the browser has no room for. */
  readonly lacking: number
  /** Shows a file in its tab, at `line` (1-based) where one is given. */
  open(path: string, line?: number): Promise<void>
  /** Reads the open files again: texts that are as they were saved follow, those that are not can be merged. */
  refresh(): Promise<void>
  /** A file or a directory has been moved: what is open of it stays open. Relative paths. */
  moved(from: string, to: string): void
  /** Brings into view what could not be while the pane was hidden. */
  catchUp(): void
  /** Gives the focus to what is shown. */
  focus(): void
  /** Saves the file that is shown. False: it is not saved, and the pane says why. */
  save(): Promise<boolean>
  /** Whether the open file is a program, which can be run. */
  readonly canRun: boolean
  /** Saves the open file and runs it, below it. */
  run(): Promise<void>
  dispose(): void
}

export interface EditorPaneOptions extends Omit<RunPanelOptions, 'onRunning' | 'onClose'> {
  readonly drafts: DraftStore
  /** What is shown while no file is open. */
  readonly noFile: HTMLElement
  /** A file was saved. */
  readonly onSaved: () => Promise<void>
  /** Another file is shown; none: the last one was closed. */
  readonly onShow: (path: string | undefined) => void
}

/** Clean tabs beyond are closed, the longest unused first. */
const MAX_TABS = 20
const NO_CHANGES: ChangedLines = { changed: new Set(), removedBefore: new Set() }

/** The open files in tabs: texts in an editor, which is loaded with the first one, and everything else read-only. A program can be run. */
export function createEditorPane({ drafts, noFile, onSaved, onShow, ...options }: EditorPaneOptions): EditorPane {
  const frame = createFrame({ onRun: () => void run(), onSave: () => void save(), onChanges: toggleChanges })
  const { title, meta, body, host, place, said, runButton, saveButton, changesButton } = frame
  const plain = createPlainView(body)
  body.prepend(plain.element)
  const tabs = createEditorTabs({ panel: body.id, onSelect: (path) => void open(path), onClose: (path) => void close(path) })
  const bar = createStateBar('State of this file', () => body.focus())
  const copy = copyButton('Copy the text of this file', () => textOf(active) ?? '')
  const program = createRunPanel({
    ...options,
    onRunning: (running) => runButton.setAttribute('aria-disabled', String(running)),
    onClose: () => (runButton.hidden ? body : runButton).focus(),
  })
  const keeper = createDraftKeeper(drafts, () => files)
  const offer = createDraftOffer(keeper, { onOpen: (kept) => void restore(kept), onLeave: () => body.focus() })
  const split = h('div', { class: 'view-split' })
  const handle = createSplitHandle(split, 'Room for the file')
  split.append(body, handle, program.element)
  const element = h(
    'main',
    { class: 'pane pane-view', 'aria-labelledby': title.id },
    tabs.element,
    h('div', { class: 'pane-head file-head' }, title, h('div', { class: 'head-actions' }, runButton, saveButton, changesButton, copy)),
    offer.element,
    bar.element,
    split,
    h('div', { class: 'pane-foot editor-foot' }, meta, said, frame.hint, place),
  )

  let session: Session | undefined
  let files: OpenFile[] = []
  let active: OpenFile | undefined
  let code: CodeEditor | undefined
  let shows = 0
  let isDisposed = false
  /** A line to bring into view when the pane is shown again. */
  let waiting: number | undefined

  const remedies = {
    save: (one: OpenFile, isOver?: boolean) => void save(one, isOver),
    drop,
    merge,
    takeTheirs,
    step: (direction: 1 | -1) => code?.step(direction),
  }
  const find = (path: string): OpenFile | undefined => files.find((one) => one.path === path)
  const isReadOnly = (): boolean => session?.workspace.readOnly ?? false

  function tell(text: string): void {
    said.textContent = text
  }

  // Drawing

  function drawTabs(): void {
    tabs.show(
      files.map((one) => ({ path: one.path, isDirty: isDirty(one), hasTrouble: hasTrouble(one) })),
      active?.path,
    )
  }

  function drawHead(): void {
    const path = active?.path
    const slash = (path?.lastIndexOf('/') ?? -1) + 1
    if (path === undefined) title.textContent = 'No file open'
    else title.replaceChildren(h('span', { class: 'file-dir' }, ...visibleName(path.slice(0, slash))), ...visibleName(path.slice(slash)))
    title.title = visibleNameText(path ?? '')
  }

  /** Everything that depends on whether the text is saved. */
  function drawState(): void {
    drawTabs()
    const one = active
    const isText = one !== undefined && textOf(one) !== undefined
    const dirty = one !== undefined && isDirty(one)
    copy.hidden = !isText
    runButton.hidden = !(isText && isProgram(one.path) && one.problem === undefined && !(one.gone && !dirty))
    saveButton.hidden = !one?.buffer || isReadOnly()
    saveButton.setAttribute('aria-disabled', String(!(dirty || one?.gone)))
    saveButton.classList.toggle('primary', dirty && !one?.theirs)
    changesButton.hidden = !one?.buffer || one.buffer.comparing === 'merge' || !(dirty || one.buffer.comparing)
    changesButton.setAttribute('aria-pressed', String(one?.buffer?.comparing === 'unsaved'))
    place.hidden = host.hidden
    bar.show(one && conditionOf(one, { ...remedies, isReadOnly: isReadOnly() }))
  }

  function say(content: HTMLElement): void {
    useEditor(false)
    meta.replaceChildren()
    plain.say(content)
  }

  const message = (heading: string, text: string): void => say(h('div', { class: 'empty' }, h('strong', {}, heading), h('p', {}, text)))

  function useEditor(isUsed: boolean): void {
    host.hidden = !isUsed
    if (isUsed) plain.say()
    plain.element.hidden = isUsed
    body.classList.toggle('has-editor', isUsed)
    // The text is the tab stop then.
    body.tabIndex = isUsed ? -1 : 0
  }

  /** Shows what there is of the file that is chosen. */
  function draw(where: Place = {}): void {
    const one = active
    drawHead()
    if (!one) say(noFile)
    else if (one.problem !== undefined) message('This file cannot be shown', one.problem)
    else if (one.gone && !one.buffer && !one.draft) message('This file is gone', `There is no ${visibleNameText(one.path)} any more.`)
    else if (code && (one.buffer || isEditable(one.file))) drawText(code, one, where)
    else if (one.file) drawPlain(one.file, one, where)
    drawState()
  }

  function drawPlain(file: LoadedFile, one: OpenFile, { line }: Place): void {
    useEditor(false)
    plain.show(file, changesIn(one), one.fresh, (size) => meta.append(h('li', {}, size)))
    drawFacts(one)
    if (line !== undefined) plain.reveal(line)
  }

  function drawText(editor: CodeEditor, one: OpenFile, where: Place): void {
    const hadFocus = document.activeElement === body
    one.buffer ??= createBuffer(editor, one)
    useEditor(true)
    editor.show(one.buffer, where)
    drawFacts(one)
    if (hadFocus) editor.focus()
  }

  function drawFacts(one: OpenFile): void {
    if (one.file) meta.replaceChildren(...factsOf(one.file, changesIn(one)).map((fact) => h('li', {}, fact)))
  }

  // Reading

  /** The text of a file that is known to be text, with what draft there is. */
  function createBuffer(editor: CodeEditor, one: OpenFile): TextBuffer {
    const file = one.file
    if (!isEditable(file)) throw new Error(`${one.path} is no text to edit`)
    const { draft } = one
    const isOld = draft?.base !== undefined && draft.base !== file.text
    // A draft of another text than the file holds now: as if that had changed underneath.
    const base = isOld ? { ...file, text: draft.base, ...splitLines(draft.base), version: '' } : file
    const buffer = editor.create(base, isReadOnly())
    if (draft) buffer.replace(draft.text)
    if (isOld && buffer.isDirty && buffer.text !== file.text) {
      one.file = base
      one.theirs = file
    } else if (isOld) buffer.follow(file)
    one.draft = undefined
    buffer.mark(one.original, one.fresh)
    keeper.note(one)
    return buffer
  }

  /** Reads a file. Resolves to false where nothing is new. */
  async function look(one: OpenFile): Promise<boolean> {
    const own = session
    if (!own) return false
    one.reads += 1
    const mine = one.reads
    const known = one.gone || one.problem !== undefined ? undefined : (one.theirs ?? one.file)
    try {
      const file = await loadFile(own.workspace, one.path, known)
      // A beginning that is not kept any more marks nothing.
      const beginning = file.kind === 'text' ? await own.original(one.path).catch(() => undefined) : undefined
      const text = beginning && decode(beginning)
      if (mine !== one.reads || own !== session) return false
      return heed(one, takeOn(one, file, text === undefined ? undefined : splitLines(text).lines))
    } catch (error) {
      if (mine !== one.reads || own !== session) return false
      return heed(one, takeLoss(one, messageOf(error)))
    }
  }

  function heed(one: OpenFile, { isNew, line, say }: Look): boolean {
    if (isNew && one === active) waiting = line
    if (isNew) keeper.note(one)
    if (say !== undefined) tell(say)
    return isNew
  }

  // Showing

  /** Brings changed lines into view, unless somebody is at work there. */
  function catchUp(): void {
    if (waiting === undefined || body.clientHeight === 0) return
    if (host.hidden) plain.reveal(waiting)
    else if (!code?.hasFocus) code?.reveal(waiting)
    waiting = undefined
  }

  async function open(path: string, line?: number): Promise<void> {
    const known = find(path)
    const one = known ?? newFile(path)
    if (!known) files = [...withRoom(files), one]
    shows += 1
    one.used = shows
    if (active !== one) {
      active = one
      tell('')
      program.follow(path)
      if (known) draw()
      else {
        drawHead()
        drawTabs()
      }
      onShow(path)
    }
    await look(one)
    if (active !== one) return
    one.fresh = new Set(line === undefined ? [] : [line - 1])
    one.buffer?.mark(one.original, one.fresh)
    draw(line === undefined ? {} : { line })
    waiting = body.clientHeight === 0 ? line : undefined
    if (!code) void startEditing(line)
  }

  /** Loads the editor, and puts it in the place of the read-only view. */
  async function startEditing(line?: number): Promise<void> {
    if (!isEditable(active?.file)) return
    try {
      const { createCodeEditor } = await loadCodeEditor()
      if (isDisposed || code) return
      code = createCodeEditor(host, { onEdit, onPlace, hint: frame.hint.id })
      if (isEditable(active?.file)) draw(line === undefined ? { topLine: plain.topLine } : { line })
    } catch (error) {
      tell(`The editor could not be loaded, so the file is read-only: ${messageOf(error)}`)
    }
  }

  function withRoom(all: OpenFile[]): OpenFile[] {
    if (all.length < MAX_TABS) return all
    const clean = all.filter((one) => !isDirty(one) && one !== active).sort((a, b) => a.used - b.used)
    return all.filter((one) => one !== clean[0])
  }

  async function refresh(): Promise<void> {
    const changed = await Promise.all(files.map((one) => (one.file || one.gone || one.problem !== undefined ? look(one) : false)))
    if (active && changed[files.indexOf(active)]) {
      draw()
      catchUp()
    } else drawTabs()
  }

  function onEdit(buffer: TextBuffer): void {
    const one = files.find((other) => other.buffer === buffer)
    if (!one) return
    if (!keeper.note(one)) tell('This text is too long to be kept over a reload: save it')
    drawState()
  }

  function onPlace(line: number, column: number): void {
    place.textContent = `Line ${line}, column ${column}`
  }

  // Saving

  function save(one: OpenFile | undefined = active, isOver = false): Promise<boolean> {
    if (!one?.buffer) return Promise.resolve(false)
    one.saving = one.saving.then(() => saveNow(one, isOver))
    return one.saving
  }

  async function saveNow(one: OpenFile, isOver: boolean): Promise<boolean> {
    const { buffer, file, theirs } = one
    const own = session
    if (!own || !buffer || file?.kind !== 'text') return false
    if (isReadOnly()) return failed('This workspace is read-only')
    if (theirs && !isOver && buffer.comparing !== 'merge') {
      merge(one)
      return false
    }
    if (!buffer.isDirty && !theirs && !one.gone) {
      tell('It is saved already')
      return true
    }
    const captured = buffer.capture()
    const expect = one.gone ? undefined : (theirs ?? file).version
    try {
      one.file = await writeFile(own, { path: one.path, text: captured.text, bom: file.bom, expect, isOver: theirs !== undefined })
    } catch (error) {
      if (!isStale(error)) return failed(`Not saved: ${messageOf(error)}`)
      await look(one)
      if (active === one) draw()
      merge(one)
      return failed(`Not saved: ${visibleNameText(one.path)} has changed underneath`)
    }
    one.theirs = undefined
    one.gone = false
    one.fresh = new Set()
    buffer.markSaved(captured)
    keeper.note(one)
    const saved = `Saved ${visibleNameText(one.path)}`
    tell(theirs ? `${saved}. What was there is in the timeline` : saved)
    await onSaved()
    await look(one)
    if (active === one) draw()
    else drawTabs()
    return true
  }

  function failed(text: string): false {
    tell(text)
    drawState()
    return false
  }

  function merge(one: OpenFile): void {
    if (!one.buffer || !isEditable(one.theirs)) return
    if (active !== one) void open(one.path)
    one.clashes = one.buffer.startMerge(one.theirs)
    drawState()
    code?.focus()
  }

  /** As an edit, so that undo brings back what was there. */
  function takeTheirs(one: OpenFile): void {
    const { theirs, buffer } = one
    if (!theirs || !buffer) return
    one.file = theirs
    one.theirs = undefined
    if (isEditable(theirs)) {
      buffer.follow(theirs, true)
      buffer.mark(one.original, new Set())
      tell('What was there is taken. Undo brings back yours')
    } else one.buffer = undefined
    keeper.note(one)
    draw()
  }

  function toggleChanges(): void {
    const buffer = active?.buffer
    if (!buffer) return
    if (buffer.comparing === 'unsaved') buffer.stopComparing()
    else buffer.showUnsaved()
    drawState()
  }

  async function run(): Promise<void> {
    const one = active
    if (!one || runButton.hidden) return
    // What is seen is what runs.
    if (isDirty(one) && !(await save(one))) return
    await program.run(one.path)
  }

  // Closing

  async function close(path: string): Promise<void> {
    const one = find(path)
    if (!one) return
    if (isDirty(one)) {
      if (active !== one) await open(path)
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
    const at = files.indexOf(one)
    if (at < 0) return
    const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body
    files = files.filter((other) => other !== one)
    keeper.forget(one)
    const next = files[at] ?? files[at - 1]
    if (active !== one) drawTabs()
    else if (next) void open(next.path)
    else closeAll()
    if (hadFocus) next ? tabs.focus() : body.focus()
  }

  function closeAll(): void {
    files = []
    active = undefined
    waiting = undefined
    program.follow(undefined)
    tell('')
    draw()
    onShow(undefined)
  }

  // Text that was not saved

  async function restore(kept: readonly Draft[]): Promise<void> {
    const taken = new Set<OpenFile>()
    for (const draft of kept.toSorted((a, b) => b.time - a.time)) {
      const one = find(draft.path) ?? newFile(draft.path)
      // An older text of the same file stays where it is kept.
      if (taken.has(one)) continue
      taken.add(one)
      if (!files.includes(one)) files = [...files, one]
      await takeBack(one, draft)
    }
    const first = kept[0] && find(kept[0].path)
    if (!first) return
    active = undefined
    await open(first.path)
  }

  async function takeBack(one: OpenFile, draft: Draft): Promise<void> {
    keeper.adopt(one, draft)
    if (one.buffer && isDirty(one)) {
      // What has been typed since comes back with undo.
      one.buffer.replace(draft.text)
      return
    }
    one.draft = draft
    one.buffer = undefined
    await look(one)
    // It was deleted since: there is something to save all the same.
    if (one.gone) one.file = emptyFile(draft)
  }

  function textOf(one: OpenFile | undefined): string | undefined {
    return one?.buffer?.text ?? (one?.file?.kind === 'text' && one.problem === undefined && !one.gone ? one.file.text : undefined)
  }

  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && active?.buffer?.comparing === 'unsaved' && !event.defaultPrevented) toggleChanges()
  })
  closeAll()
  return {
    element,
    get path() {
      return active?.path
    },
    use(next) {
      keeper.use(next)
      session = next
      program.use(next)
      closeAll()
      void offer.offer()
    },
    async goOn(next) {
      session = next
      program.use(next)
      program.follow(active?.path)
      offer.end()
      await keeper.goOn(next)
      await offer.offer()
    },
    get lacking() {
      return keeper.lacking()
    },
    get unsaved() {
      return files.filter(isDirty).length
    },
    open,
    refresh,
    moved(from, to) {
      for (const one of files) {
        const path = pathAfter(one.path, from, to)
        if (path === undefined) continue
        const other = find(path)
        if (other && other !== one) files = files.filter((kept) => kept !== (isDirty(other) ? one : other))
        keeper.forget(one)
        one.path = path
        if (one.file) one.file = { ...one.file, path }
        if (one.buffer) code?.rename(one.buffer, path)
        keeper.note(one)
      }
      if (active && !files.includes(active)) active = files.find(({ path }) => path === active?.path)
      program.follow(active?.path)
      drawHead()
      drawState()
    },
    catchUp,
    // The read-only view hands it on when the editor comes.
    focus: () => (host.hidden ? body : (code ?? body)).focus(),
    save: () => save(),
    get canRun() {
      return !runButton.hidden
    },
    run,
    dispose() {
      isDisposed = true
      offer.end()
      keeper.dispose()
      code?.dispose()
    },
  }
}

function changesIn({ file, original }: OpenFile): ChangedLines {
  return file?.kind === 'text' && original ? changedLines(original, file.lines) : NO_CHANGES
}

function emptyFile({ path }: Draft): LoadedFile {
  return { path, size: 0, version: '', kind: 'text', text: '', bom: false, cut: false, ...splitLines('') }
}
