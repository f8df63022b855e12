import { copyButton } from '../copy-button.js'
import { h } from '../dom.js'
import { formatBytes, plural } from '../format.js'
import { type ChangedLines, changedLines, NO_CHANGES } from '../text/changed-lines.js'
import type { LoadedFile, LoadedText } from '../text/load-file.js'
import { createPlainView } from '../text/plain-view.js'
import { visibleName, visibleNameText } from '../visible.js'
import type { CodeEditor, Place } from './code-editor.js'
import { conditionOf, type Remedies } from './conditions.js'
import { createEditorTabs } from './editor-tabs.js'
import { createFrame, type FrameOptions } from './frame.js'
import { hasTrouble, isDirty, isEditable, type OpenFile, textOf } from './open-file.js'
import { isReadOnly, type PaneState } from './pane-state.js'
import { createStateBar } from './state-bar.js'
import type { TextBuffer } from './text-buffer.js'

/** File types that the preview can show directly. */
const PREVIEWED = /\.(?:html?|svg|md|markdown)$/i

export interface FileViewOptions extends FrameOptions {
  readonly state: PaneState
  /** Shown while no file is open. */
  readonly noFile: HTMLElement
  /** Whether a file is a program. */
  readonly isProgram: (path: string) => boolean
  readonly remedies: Omit<Remedies, 'isReadOnly'>
  /** The text buffer of a file, created on demand. */
  readonly bufferOf: (editor: CodeEditor, one: OpenFile) => TextBuffer
  readonly onSelect: (path: string) => void
  readonly onClose: (path: string) => void
}

/** The visible parts of the editor pane. */
export interface FileView {
  /** Elements above the file, top to bottom: tabs, head, state bar. */
  readonly tabs: HTMLElement
  readonly head: HTMLElement
  readonly bar: HTMLElement
  /** Scroll container of the read-only view. */
  readonly body: HTMLElement
  readonly foot: HTMLElement
  /** Container of the editor. */
  readonly host: HTMLElement
  readonly titleId: string
  /** Id of the hint on how to leave the editor by keyboard. */
  readonly hintId: string
  readonly runButton: HTMLButtonElement
  /** Whether the editor is visible. */
  readonly isEditing: boolean
  /** First visible line of the read-only view, 1-based. */
  readonly topLine: number
  /** Draws the selected file. */
  draw(where?: Place): void
  /** Draws the file's name. */
  drawHead(): void
  drawTabs(): void
  /** Draws everything that depends on unsaved changes. */
  drawState(): void
  /** Shows a message in the status line. Empty: none. Returns a function that removes the message unless another message replaced it. */
  tell(text: string): () => void
  /** Shows the cursor position, 1-based. */
  tellPlace(line: number, column: number): void
  /** Scrolls a line (1-based) into view, unless the user works in the editor. */
  reveal(line: number): void
  /** Focuses the tab of the shown file. */
  focusTab(): void
}

export function createFileView({ state, noFile, isProgram, remedies, bufferOf, onSelect, onClose, ...options }: FileViewOptions): FileView {
  const { title, meta, body, host, hint, place, said, runButton, previewButton, saveButton, changesButton } = createFrame(options)
  const plain = createPlainView(body)
  body.prepend(plain.element)
  const tabs = createEditorTabs({ panel: body.id, onSelect, onClose })
  const bar = createStateBar('State of this file', () => body.focus())
  const copy = copyButton('Copy the text of this file', () => textOf(state.active) ?? '')

  function drawTabs(): void {
    tabs.show(
      state.files.map((one) => ({ path: one.path, isDirty: isDirty(one), hasTrouble: hasTrouble(one) })),
      state.active?.path,
    )
  }

  function drawHead(): void {
    const path = state.active?.path
    const slash = (path?.lastIndexOf('/') ?? -1) + 1
    if (path === undefined) title.textContent = 'No file open'
    else title.replaceChildren(h('span', { class: 'file-dir' }, ...visibleName(path.slice(0, slash))), ...visibleName(path.slice(slash)))
    title.title = visibleNameText(path ?? '')
  }

  function drawState(): void {
    drawTabs()
    const one = state.active
    const isText = one !== undefined && textOf(one) !== undefined
    const dirty = one !== undefined && isDirty(one)
    copy.hidden = !isText
    runButton.hidden = !(isText && isProgram(one.path) && one.problem === undefined && !(one.gone && !dirty))
    previewButton.hidden = !(one?.file && PREVIEWED.test(one.path) && one.problem === undefined && !one.gone)
    saveButton.hidden = !one?.buffer || isReadOnly(state)
    saveButton.setAttribute('aria-disabled', String(!(dirty || one?.gone)))
    saveButton.classList.toggle('primary', dirty && !one?.theirs)
    changesButton.hidden = !one?.buffer || one.buffer.comparing === 'merge' || !(dirty || one.buffer.comparing)
    changesButton.setAttribute('aria-pressed', String(one?.buffer?.comparing === 'unsaved'))
    place.hidden = host.hidden
    bar.show(one && conditionOf(one, { ...remedies, isReadOnly: isReadOnly(state) }))
  }

  function draw(where: Place = {}): void {
    const { active: one, code } = state
    drawHead()
    if (!one) say(noFile)
    else if (one.problem !== undefined) message('This file cannot be shown', one.problem)
    else if (one.gone && !one.buffer && !one.draft) message('This file is gone', `There is no ${visibleNameText(one.path)} any more.`)
    else if (code && (one.buffer || isEditable(one.file))) drawText(code, one, where)
    else if (one.file) drawPlain(one.file, one, where)
    drawState()
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
    // The text inside the editor is the tab stop then.
    body.tabIndex = isUsed ? -1 : 0
  }

  function drawPlain(file: LoadedFile, one: OpenFile, { line }: Place): void {
    useEditor(false)
    plain.show(file, changesIn(one), one.fresh, (size) => meta.append(h('li', {}, size)))
    drawFacts(one)
    if (line !== undefined) plain.reveal(line)
  }

  function drawText(editor: CodeEditor, one: OpenFile, where: Place): void {
    const hadFocus = document.activeElement === body
    one.buffer ??= bufferOf(editor, one)
    useEditor(true)
    editor.show(one.buffer, where)
    drawFacts(one)
    if (hadFocus) editor.focus()
  }

  function drawFacts(one: OpenFile): void {
    if (one.file) meta.replaceChildren(...factsOf(one.file, changesIn(one)).map((fact) => h('li', {}, fact)))
  }

  return {
    tabs: tabs.element,
    head: h(
      'div',
      { class: 'pane-head file-head' },
      title,
      h('div', { class: 'head-actions' }, runButton, previewButton, saveButton, changesButton, copy),
    ),
    bar: bar.element,
    body,
    foot: h('div', { class: 'pane-foot editor-foot' }, meta, said, hint, place),
    host,
    titleId: title.id,
    hintId: hint.id,
    runButton,
    get isEditing() {
      return !host.hidden
    },
    get topLine() {
      return plain.topLine
    },
    draw,
    drawHead,
    drawTabs,
    drawState,
    tell(text) {
      said.textContent = text
      return () => {
        if (said.textContent === text) said.textContent = ''
      }
    },
    tellPlace(line, column) {
      place.textContent = `Line ${line}, column ${column}`
    },
    reveal(line) {
      if (host.hidden) plain.reveal(line)
      else if (!state.code?.hasFocus) state.code?.reveal(line)
    },
    focusTab: tabs.focus,
  }
}

function changesIn({ file, original }: OpenFile): ChangedLines {
  return file?.kind === 'text' && original ? changedLines(original, file.lines) : NO_CHANGES
}

/** Facts about a file for the status line. */
function factsOf(file: LoadedFile, changes: ChangedLines): string[] {
  const facts = [formatBytes(file.size)]
  if (file.kind !== 'text') return [...facts, file.kind === 'image' ? file.mediaType : 'binary']
  facts.push(...aboutText(file))
  if (changes.changed.size) facts.push(`${plural(changes.changed.size, 'line')} changed`)
  return facts
}

function aboutText({ lines, eol, bom, finalNewline, cut }: LoadedText): string[] {
  const facts = [`${plural(lines.length, 'line')}${cut ? ' shown, the file goes on' : ''}`]
  if (eol !== 'none') facts.push(eol === 'mixed' ? 'mixed line endings' : eol)
  if (bom) facts.push('byte order mark')
  if (lines.length && !finalNewline && !cut) facts.push('no final newline')
  return facts
}
