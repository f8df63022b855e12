import { isolateHistory } from '@codemirror/commands'
import { diff, goToNextChunk, goToPreviousChunk, unifiedMergeView } from '@codemirror/merge'
import {
  Compartment,
  EditorState,
  type Extension,
  Prec,
  type StateEffect,
  Text,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { h } from '../dom.js'
import { changedLines } from '../text/changed-lines.js'
import type { LoadedText } from '../text/load-file.js'
import { countLines, type LineMarks, setLineMarks } from './line-marks.js'
import { indentation, setup, wrapping } from './setup.js'
import { joinChanges } from './three-way.js'

const ENDINGS = { LF: '\n', CRLF: '\r\n', CR: '\r', mixed: '\n', none: '\n' } as const

/** An open text with its own undo history, which survives while another buffer is shown. */
export interface TextBuffer {
  /** The whole text, with the file's line endings. */
  readonly text: string
  readonly isDirty: boolean
  /** The active comparison, if any. */
  readonly comparing: Comparison | undefined
  /** A snapshot of the current text, for a later `markSaved`. */
  capture(): Captured
  /** Records that the file now holds the captured text. */
  markSaved(captured: Captured): void
  /** Applies the file's new content and keeps the cursor in place. `undoable`: record the change in the undo history. */
  follow(file: LoadedText, undoable?: boolean): void
  /** Replaces the whole text as one undoable step. */
  replace(text: string): void
  /** Marks lines that differ from `original`, or else from the saved file. Highlights `fresh`. */
  mark(original: readonly string[] | undefined, fresh?: ReadonlySet<number>): void
  /** Applies the non-conflicting changes of `theirs` and shows the remaining differences. Returns the number of conflicts. */
  startMerge(theirs: LoadedText): number
  /** Shows the differences to the saved file. */
  showUnsaved(): void
  stopComparing(): void
}

export interface Captured {
  readonly text: string
  readonly doc: Text
}

/** A buffer with its editor state. The view owns the state while the buffer is shown. */
export class Buffer implements TextBuffer {
  state: EditorState
  /** Restores the scroll position. */
  scroll: StateEffect<unknown> | undefined
  comparing: Comparison | undefined
  original: readonly string[] | undefined
  readonly language = new Compartment()
  readonly #comparison = new Compartment()
  #saved: Text
  #ending: string
  readonly #send: (buffer: Buffer, spec: TransactionSpec) => void

  constructor(file: LoadedText, readOnly: boolean, send: (buffer: Buffer, spec: TransactionSpec) => void, extra: Extension) {
    this.#ending = ENDINGS[file.eol]
    this.#saved = docOf(file)
    this.#send = send
    this.state = EditorState.create({
      doc: this.#saved,
      extensions: [
        // Comes first, so that the comparison's gutter is next to the line numbers.
        this.#comparison.of([]),
        setup,
        wrapping(file.path),
        indentation(this.#saved),
        EditorState.readOnly.of(readOnly),
        this.language.of([]),
        extra,
      ],
    })
  }

  get text(): string {
    return this.capture().text
  }

  get isDirty(): boolean {
    return !this.state.doc.eq(this.#saved)
  }

  capture(): Captured {
    const { doc } = this.state
    return { doc, text: doc.sliceString(0, doc.length, this.#ending) }
  }

  markSaved({ doc }: Captured): void {
    this.#saved = doc
    if (this.comparing) this.stopComparing()
    this.#remark()
  }

  follow(file: LoadedText, undoable = false): void {
    const doc = docOf(file)
    this.#ending = ENDINGS[file.eol]
    this.#saved = doc
    this.stopComparing()
    this.#change(doc, undoable)
  }

  replace(text: string): void {
    this.#change(split(text, this.#ending), true)
  }

  mark(original: readonly string[] | undefined, fresh?: ReadonlySet<number>): void {
    this.original = original
    this.#remark(fresh)
  }

  startMerge(theirs: LoadedText): number {
    const other = docOf(theirs)
    const { changes, clashes } = joinChanges(this.#saved, this.state.doc, other)
    if (!changes.empty) this.#send(this, { changes, userEvent: 'merge' })
    this.#compare('merge', other)
    return clashes
  }

  showUnsaved(): void {
    this.#compare('unsaved', this.#saved)
  }

  stopComparing(): void {
    if (!this.comparing) return
    this.comparing = undefined
    this.#send(this, { effects: this.#comparison.reconfigure([]) })
  }

  #compare(kind: Comparison, original: Text): void {
    this.comparing = kind
    this.#send(this, { effects: this.#comparison.reconfigure(comparison(kind, original)) })
  }

  /** Replaces only the differences, so that the cursor and the marks keep their positions. */
  #change(doc: Text, undoable: boolean): void {
    const now = this.state.doc
    if (doc.eq(now)) return
    const text = doc.toString()
    const changes = diff(now.toString(), text, { scanLimit: 500, timeout: 200 }).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: split(text.slice(fromB, toB), '\n'),
    }))
    this.#send(this, { changes, annotations: [Transaction.addToHistory.of(undoable), isolateHistory.of('full')] })
  }

  #remark(fresh?: ReadonlySet<number>): void {
    this.#send(this, { effects: setLineMarks.of({ changes: this.differences(), ...(fresh && { fresh }) }) })
  }

  /** The lines that differ from the original. */
  differences(): LineMarks['changes'] {
    return changedLines(this.original ?? linesOf(this.#saved), linesOf(this.state.doc))
  }
}

/** Splits a text at its line ending. In a text with mixed line endings a carriage return is an ordinary character. */
function docOf({ text, eol }: LoadedText): Text {
  return split(text, ENDINGS[eol])
}

function split(text: string, ending: string): Text {
  return Text.of(text.split(ending))
}

function linesOf(doc: Text): string[] {
  return doc.toJSON().slice(0, countLines(doc))
}

/** `merge`: compares with a version saved by someone else. `unsaved`: compares with the file. */
type Comparison = 'merge' | 'unsaved'

/** An inline diff against `original`, with buttons for each difference. */
function comparison(kind: Comparison, original: Text): Extension {
  return [
    unifiedMergeView({
      original,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 1000, timeout: 300 },
      mergeControls: (type, action) => control(kind, type, action),
    }),
    // Long unwrapped lines would push the buttons out of view.
    EditorView.lineWrapping,
    EditorView.editorAttributes.of({ class: 'is-comparing' }),
    Prec.high(
      keymap.of([
        { key: 'F7', run: goToNextChunk },
        { key: 'Shift-F7', run: goToPreviousChunk },
      ]),
    ),
  ]
}

function control(kind: Comparison, type: 'accept' | 'reject', action: (event: MouseEvent) => void): HTMLElement {
  // An unsaved change needs no button to keep it.
  if (kind === 'unsaved' && type === 'accept') return h('span', { hidden: true })
  const label = kind === 'unsaved' ? 'Put back' : type === 'accept' ? 'Keep mine' : 'Take theirs'
  return h('button', { type: 'button', class: `chunk-${type}`, on: { click: action } }, label)
}
