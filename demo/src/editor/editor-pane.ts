import { copyButton } from '../copy-button.js'
import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import { messageOf } from '../notice.js'
import { createRunPanel, isProgram, type RunPanelOptions } from '../run/run-panel.js'
import type { Session } from '../session.js'
import { createSplitHandle } from '../split-handle.js'
import { type ChangedLines, changedLines } from '../text/changed-lines.js'
import { splitLines } from '../text/lines.js'
import { decode, type LoadedFile, loadFile } from '../text/load-file.js'
import { createPlainView } from '../text/plain-view.js'
import { ask } from './ask.js'
import type { CodeEditor, Place } from './code-editor.js'
import { createDraftKeeper } from './draft-keeper.js'
import type { Draft, DraftStore } from './drafts.js'
import { createEditorTabs } from './editor-tabs.js'
import { factsOf } from './facts.js'
import { loadCodeEditor } from './late-editor.js'
import { hasTrouble, isDirty, isEditable, newFile, type OpenFile, pathAfter } from './open-file.js'
import { isStale, writeFile } from './saving.js'
import { type BarAction, type BarState, createStateBar } from './state-bar.js'
import type { TextBuffer } from './text-buffer.js'

export interface EditorPane {
  readonly element: HTMLElement
  /** Path relative to the root of the file that is shown. */
  readonly path: string | undefined
  /** Takes up another workspace. What is not saved is kept, and offered when the workspace is opened again. */
  use(session: Session): void
  /** Shows a file in its tab, at `line` (1-based) where one is given. */
  open(path: string, line?: number): Promise<void>
  /** Reads the open files again: texts that are as they were saved follow, those that are not can be merged. */
  refresh(): Promise<void>
  /** A file or a directory has been moved: what is open of it stays open. Relative paths. */
  moved(from: string, to: string): void
  /** Brings into view what could not be while the pane was hidden. */
  catchUp(): void
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
  /** A file was saved. */
  readonly onSaved: () => Promise<void>
  /** Another file is shown; none: the last one was closed. */
  readonly onShow: (path: string | undefined) => void
}

/** Clean tabs beyond are closed, the longest unused first. */
const MAX_TABS = 20
const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
const NO_CHANGES: ChangedLines = { changed: new Set(), removedBefore: new Set() }

/** The open files in tabs: texts in an editor, which is loaded with the first one, and everything else read-only. A program can be run. */
export function createEditorPane({ drafts, onSaved, onShow, ...options }: EditorPaneOptions): EditorPane {
  const title = h('h2', { id: uniqueId('view-heading'), class: 'file-title' })
  const meta = h('ul', { class: 'meta', 'aria-label': 'About this file' })
  const body = h('div', { class: 'view-body', id: uniqueId('file'), tabindex: 0, role: 'region', 'aria-label': 'Content of the file' })
  const plain = createPlainView(body)
  const host = h('div', { class: 'editor-host', hidden: true })
  body.append(plain.element, host)
  const hint = h('p', { class: 'editor-hint', id: uniqueId('hint') }, 'Escape, then Tab, leaves the text')
  const place = h('span', { class: 'editor-place', hidden: true })
  const said = h('span', { class: 'editor-said', role: 'status' })
  const tabs = createEditorTabs({ panel: body.id, onSelect: (path) => void open(path), onClose: (path) => void close(path) })
  const offer = createStateBar('Text that was not saved')
  const bar = createStateBar('State of this file')
  const copy = copyButton('Copy the text of this file', () => textOf(active) ?? '')
  const runButton = h(
    'button',
    {
      type: 'button',
      class: 'button small run-file',
      hidden: true,
      title: `Run this file (${MODIFIER} ↵ in this pane)`,
      'aria-label': 'Run this file',
      'aria-keyshortcuts': 'Control+Enter Meta+Enter',
      on: { click: () => void run() },
    },
    icon('run'),
    'Run',
  )
  const saveButton = h(
    'button',
    {
      type: 'button',
      class: 'button small',
      hidden: true,
      title: `Save (${MODIFIER} S)`,
      'aria-keyshortcuts': 'Control+S Meta+S',
      on: { click: () => void save() },
    },
    icon('save'),
    'Save',
  )
  const changesButton = h(
    'button',
    {
      type: 'button',
      class: 'button small',
      hidden: true,
      title: 'Show what is not saved yet beside what is',
      on: { click: toggleChanges },
    },
    icon('diff'),
    'Changes',
  )
  const program = createRunPanel({
    ...options,
    onRunning: (running) => runButton.setAttribute('aria-disabled', String(running)),
    onClose: () => (runButton.hidden ? body : runButton).focus(),
  })
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
    h('div', { class: 'pane-foot editor-foot' }, meta, said, hint, place),
  )

  let session: Session | undefined
  let files: OpenFile[] = []
  let active: OpenFile | undefined
  let code: CodeEditor | undefined
  let shows = 0
  let isDisposed = false
  /** A line to bring into view when the pane is shown again. */
  let waiting: number | undefined
  const keeper = createDraftKeeper(drafts, () => files)

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
    else title.replaceChildren(h('span', { class: 'file-dir' }, path.slice(0, slash)), path.slice(slash))
    title.title = path ?? ''
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
    bar.show(one && stateOf(one))
  }

  function stateOf(one: OpenFile): BarState | undefined {
    const { buffer, file, theirs, gone } = one
    if (buffer && gone) {
      const again: BarAction = { label: 'Save it again', primary: true, run: () => void save(one) }
      const text = isDirty(one)
        ? 'This file was deleted. What you wrote is still here.'
        : 'This file was deleted. What it held is still here.'
      return { kind: 'warning', text, actions: [again, { label: 'Close', run: () => drop(one) }] }
    }
    if (buffer && theirs) return conflictOf(one, buffer, theirs)
    if (isReadOnly() && isEditable(file)) return { kind: 'info', text: 'This workspace is read-only. Nothing can be changed here.' }
    if (file?.kind === 'text' && !isEditable(file)) {
      return { kind: 'info', text: 'This file is larger than 2 MiB. It is shown here, and not edited.' }
    }
    return undefined
  }

  function conflictOf(one: OpenFile, buffer: TextBuffer, theirs: LoadedFile): BarState {
    const mine: BarAction = { label: 'Keep mine', run: () => void save(one, true) }
    const use: BarAction = { label: 'Use theirs', run: () => takeTheirs(one) }
    if (theirs.kind !== 'text' || !isEditable(theirs)) {
      return { kind: 'warning', text: 'This file has been replaced by one that cannot be edited here.', actions: [mine, use] }
    }
    if (buffer.comparing !== 'merge') {
      const text = 'This file has changed underneath while you edit it.'
      return { kind: 'warning', text, actions: [{ label: 'Merge', primary: true, run: () => merge(one) }, mine, use] }
    }
    const clashes =
      one.clashes === 0
        ? 'Both changes fit together.'
        : `${one.clashes} ${one.clashes === 1 ? 'place was' : 'places were'} changed by both.`
    return {
      kind: 'warning',
      text: `${clashes} Green is what you would save over theirs.`,
      actions: [
        { label: 'Previous', run: () => code?.step(-1) },
        { label: 'Next', run: () => code?.step(1) },
        { label: 'Save the merge', primary: true, run: () => void save(one) },
        mine,
        use,
      ],
    }
  }

  function message(heading: string, text: string): void {
    useEditor(false)
    meta.replaceChildren()
    plain.say(h('div', { class: 'empty' }, h('strong', {}, heading), h('p', {}, text)))
  }

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
    if (!one) message('Choose a file', 'Pick one in the tree. Changes that a tool makes to it are lit here, line by line.')
    else if (one.problem !== undefined) message('This file cannot be shown', one.problem)
    else if (one.gone && !one.buffer && !one.draft) message('This file is gone', `There is no ${one.path} any more.`)
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
      const original = file.kind === 'text' ? await own.original(one.path).catch(() => undefined) : undefined
      if (mine !== one.reads || own !== session) return false
      return take(one, file, original)
    } catch (error) {
      if (mine !== one.reads || own !== session) return false
      return lose(one, messageOf(error))
    }
  }

  function lose(one: OpenFile, text: string): boolean {
    const isGone = text.startsWith('ENOENT')
    const before = [one.gone, one.problem]
    one.gone = isGone
    one.problem = isGone || one.buffer ? undefined : text
    one.theirs = undefined
    if (isGone && one.buffer && !one.buffer.isDirty) one.buffer = undefined
    if (one.buffer && !isGone) tell(text)
    return before[0] !== one.gone || before[1] !== one.problem
  }

  function take(one: OpenFile, file: LoadedFile, beginning: Uint8Array | undefined): boolean {
    const { buffer, file: before } = one
    const text = beginning && decode(beginning)
    const original = text === undefined ? undefined : splitLines(text).lines
    const wasGone = one.gone || one.problem !== undefined
    one.gone = false
    one.problem = undefined
    if (!wasGone && file === (one.theirs ?? before)) {
      const isNew = original?.join('\n') !== one.original?.join('\n')
      one.original = original
      if (isNew) buffer?.mark(original)
      return isNew
    }
    one.original = original
    if (buffer?.isDirty) takeBeside(one, buffer, file)
    else takeOver(one, buffer, file, before)
    return true
  }

  /** Nothing was edited: it is as the file is. */
  function takeOver(one: OpenFile, buffer: TextBuffer | undefined, file: LoadedFile, before: LoadedFile | undefined): void {
    const changes = before?.kind === 'text' && file.kind === 'text' ? changedLines(before.lines, file.lines) : NO_CHANGES
    one.file = file
    one.theirs = undefined
    one.fresh = new Set([...changes.changed])
    waitingFor(one, Math.min(...changes.changed, ...changes.removedBefore) + 1)
    if (!buffer) return
    if (isEditable(file)) {
      buffer.follow(file)
      buffer.mark(one.original, one.fresh)
    } else one.buffer = undefined
  }

  /** What was edited stays, and the file is beside it. */
  function takeBeside(one: OpenFile, buffer: TextBuffer, file: LoadedFile): void {
    const isSame = file.kind === 'text' && file.text === buffer.text
    const isAsBefore = file.kind === 'text' && one.file?.kind === 'text' && file.text === one.file.text
    if (isSame || isAsBefore) {
      one.file = file
      one.theirs = undefined
      if (isSame) buffer.markSaved(buffer.capture())
      else buffer.stopComparing()
    } else {
      const wasMerging = buffer.comparing === 'merge'
      one.theirs = file
      buffer.stopComparing()
      if (wasMerging && isEditable(file)) one.clashes = buffer.startMerge(file)
      tell(`${one.path} has changed underneath`)
    }
    buffer.mark(one.original)
    keeper.note(one)
  }

  // Showing

  function waitingFor(one: OpenFile, line: number): void {
    if (one === active) waiting = Number.isFinite(line) ? line : undefined
  }

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
      code = createCodeEditor(host, { onEdit, onPlace, hint: hint.id })
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
      return failed(`Not saved: ${one.path} has changed underneath`)
    }
    one.theirs = undefined
    one.gone = false
    one.fresh = new Set()
    buffer.markSaved(captured)
    keeper.note(one)
    tell(theirs ? `Saved ${one.path}. What was there is in the timeline` : `Saved ${one.path}`)
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
      const name = path.slice(path.lastIndexOf('/') + 1)
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
    keeper.forget(one.path)
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

  function offerDrafts(): void {
    const kept = keeper.kept()
    const names = kept.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
    offer.show(
      kept.length === 0
        ? undefined
        : {
            kind: 'info',
            text: `Not saved when this page was left: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}.`,
            actions: [
              { label: 'Open', primary: true, run: () => void restore(kept) },
              {
                label: 'Discard',
                run: () => {
                  for (const { path } of kept) keeper.forget(path)
                  offer.show(undefined)
                },
              },
            ],
          },
    )
  }

  async function restore(kept: readonly Draft[]): Promise<void> {
    offer.show(undefined)
    for (const draft of kept) {
      const one = find(draft.path) ?? newFile(draft.path)
      if (isDirty(one)) continue
      one.draft = draft
      one.buffer = undefined
      if (!files.includes(one)) files = [...files, one]
      await look(one)
      // It was deleted since: what it held is made of the draft, so that there is something to save.
      if (one.gone) one.file = emptyFile(draft)
    }
    const first = kept[0] && find(kept[0].path)
    if (!first) return
    active = undefined
    await open(first.path)
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
      offerDrafts()
    },
    open,
    refresh,
    moved(from, to) {
      for (const one of files) {
        const path = pathAfter(one.path, from, to)
        if (path === undefined) continue
        const other = find(path)
        if (other && other !== one) files = files.filter((kept) => kept !== (isDirty(other) ? one : other))
        keeper.forget(one.path)
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
    save: () => save(),
    get canRun() {
      return !runButton.hidden
    },
    run,
    dispose() {
      isDisposed = true
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
