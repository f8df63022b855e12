import { goToNextChunk, goToPreviousChunk } from '@codemirror/merge'
import { EditorSelection, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { NO_CHANGES } from '../text/changed-lines.js'
import type { LoadedText } from '../text/load-file.js'
import { digitsOf } from '../text/plain-view.js'
import { visibleNameText } from '../visible.js'
import { languageOf } from './languages.js'
import { setLineMarks } from './line-marks.js'
import { Buffer, type TextBuffer } from './text-buffer.js'

export interface CodeEditorOptions {
  /** Called when the text of a buffer has changed. */
  readonly onEdit: (buffer: TextBuffer) => void
  /** Called when the cursor of the shown buffer moves. `line` and `column` are 1-based. */
  readonly onPlace: (line: number, column: number) => void
  /** Id of the hint on how to leave the editor by keyboard. */
  readonly hint: string
}

/** The lines to show when a text is opened. */
export interface Place {
  /** Line (1-based) that receives the cursor, is highlighted and scrolls into view. */
  readonly line?: number
  /** Line that scrolls to the top. */
  readonly topLine?: number
}

export interface CodeEditor {
  readonly hasFocus: boolean
  create(file: LoadedText, readOnly: boolean): TextBuffer
  show(buffer: TextBuffer, place?: Place): void
  /** Scrolls a line (1-based) into view if it is not visible. */
  reveal(line: number): void
  focus(): void
  /** Moves to the next or previous difference of the comparison. */
  step(direction: 1 | -1): void
  /** Chooses the language by the file's name. */
  rename(buffer: TextBuffer, path: string): void
  dispose(): void
}

/** Debounce after typing before the marks of changed lines are updated, milliseconds. */
const REMARK_MS = 250

/** Creates the editor in `host`. One view shows one buffer at a time. */
export function createCodeEditor(host: HTMLElement, { onEdit, onPlace, hint }: CodeEditorOptions): CodeEditor {
  let shown: Buffer | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const names = new WeakMap<Buffer, string>()

  const view = new EditorView({ parent: host })

  const follower = EditorView.updateListener.of(({ state, docChanged, selectionSet }) => {
    const buffer = shown
    if (!buffer) return
    buffer.state = state
    if (docChanged) changed(buffer)
    if (docChanged || selectionSet) tellPlace()
  })

  const attributes = EditorView.contentAttributes.of(() => ({
    'aria-label': `Text of ${visibleNameText((shown && names.get(shown)) ?? 'the file')}`,
    'aria-describedby': hint,
    // The element is focusable anyway; assistive tools that read only attributes need this.
    tabindex: '0',
    spellcheck: 'false',
    autocapitalize: 'off',
  }))

  function changed(buffer: Buffer): void {
    host.style.setProperty('--digits', String(digitsOf(buffer.state.doc.lines)))
    onEdit(buffer)
    clearTimeout(timer)
    timer = setTimeout(() => shown === buffer && send(buffer, { effects: setLineMarks.of({ changes: buffer.differences() }) }), REMARK_MS)
  }

  function tellPlace(): void {
    const { head } = view.state.selection.main
    const line = view.state.doc.lineAt(head)
    onPlace(line.number, head - line.from + 1)
  }

  function send(buffer: Buffer, spec: TransactionSpec): void {
    if (buffer === shown) {
      view.dispatch(spec)
      return
    }
    const { state, docChanged } = buffer.state.update(spec)
    buffer.state = state
    if (docChanged) onEdit(buffer)
  }

  async function speak(buffer: Buffer, path: string): Promise<void> {
    names.set(buffer, path)
    try {
      const language = await languageOf(path)
      if (names.get(buffer) === path) send(buffer, { effects: buffer.language.reconfigure(language ?? []) })
    } catch {
      // Offline, a language that was never loaded is unavailable: the text is shown plain.
    }
  }

  function go({ line, topLine }: Place): void {
    const { doc } = view.state
    const at = doc.line(Math.min(doc.lines, Math.max(1, line ?? topLine ?? 1))).from
    view.dispatch({
      ...(line !== undefined && {
        selection: EditorSelection.cursor(at),
        effects: [
          EditorView.scrollIntoView(at, { y: 'center' }),
          setLineMarks.of({
            changes: shown?.differences() ?? NO_CHANGES,
            fresh: new Set([line - 1]),
          }),
        ],
      }),
      ...(line === undefined &&
        topLine !== undefined &&
        topLine > 1 && { effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 0 }) }),
    })
  }

  function show(buffer: TextBuffer, place: Place = {}): void {
    const next = buffer as Buffer
    if (shown !== next) {
      if (shown) shown.scroll = view.scrollSnapshot()
      shown = undefined
      host.style.setProperty('--digits', String(digitsOf(next.state.doc.lines)))
      view.setState(next.state)
      shown = next
      if (next.scroll) view.dispatch({ effects: next.scroll })
      else view.scrollDOM.scrollTo(0, 0)
      tellPlace()
    }
    go(place)
  }

  return {
    get hasFocus() {
      return view.hasFocus
    },
    create(file, readOnly) {
      const buffer = new Buffer(file, readOnly, send, [follower, attributes])
      void speak(buffer, file.path)
      return buffer
    },
    show,
    reveal(line) {
      const { doc } = view.state
      const { from } = doc.line(Math.min(doc.lines, Math.max(1, line)))
      const block = view.lineBlockAt(from)
      const { scrollTop, clientHeight } = view.scrollDOM
      const isSeen = block.top >= scrollTop && block.bottom <= scrollTop + clientHeight
      if (!isSeen) view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    },
    focus: () => view.focus(),
    step: (direction) => void (direction > 0 ? goToNextChunk(view) : goToPreviousChunk(view)),
    rename: (buffer, path) => void speak(buffer as Buffer, path),
    dispose() {
      clearTimeout(timer)
      view.destroy()
    },
  }
}
