import { isolateHistory } from '@codemirror/commands'
import { diff } from '@codemirror/merge'
import { Compartment, EditorState, type Extension, type StateEffect, Text, Transaction, type TransactionSpec } from '@codemirror/state'
import { changedLines } from '../text/changed-lines.js'
import type { LoadedText } from '../text/load-file.js'
import { type Comparison, comparison } from './compare.js'
import { countLines, type LineMarks, setLineMarks } from './line-marks.js'
import { indentation, setup, wrapping } from './setup.js'
import { joinChanges } from './three-way.js'

const ENDINGS = { LF: '\n', CRLF: '\r\n', CR: '\r', mixed: '\n', none: '\n' } as const

/** One open text with its own history. It goes on while another one is shown. */
export interface TextBuffer {
  /** All of it, with the file's line endings. */
  readonly text: string
  readonly isDirty: boolean
  /** What it is compared with, where it is. */
  readonly comparing: Comparison | undefined
  /** The text as it is now, for `markSaved` later. */
  capture(): Captured
  /** The file holds this now. */
  markSaved(captured: Captured): void
  /** The file holds another text now, which is taken on: the cursor stays where it is. `undoable`: as the user's own doing. */
  follow(file: LoadedText, undoable?: boolean): void
  /** The file holds another text now; this one stays, to be saved over it. */
  rebase(file: LoadedText): void
  /** Takes the place of the text, as one step that can be undone. */
  replace(text: string): void
  /** Marks lines that differ from `original`, or from what the file holds; lights `fresh`. */
  mark(original: readonly string[] | undefined, fresh?: ReadonlySet<number>): void
  /** Shows what differs from `theirs`, after what only they have changed is put in. Gives the number of places that both have changed. */
  startMerge(theirs: LoadedText): number
  /** Shows what differs from what the file holds. */
  showUnsaved(): void
  stopComparing(): void
}

export interface Captured {
  readonly text: string
  readonly doc: Text
}

/** A buffer and its state, which the view takes over while it is shown. */
export class Buffer implements TextBuffer {
  state: EditorState
  /** Brings back what could be seen of it. */
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
        // Before the rest, so that what is compared is beside the numbers.
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

  rebase(file: LoadedText): void {
    this.#saved = docOf(file)
    this.stopComparing()
    this.#remark()
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

  /** By what differs, so that the cursor and the marks keep their places. */
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

  /** The lines that differ from the beginning. */
  differences(): LineMarks['changes'] {
    return changedLines(this.original ?? linesOf(this.#saved), linesOf(this.state.doc))
  }
}

/** Lines are told from each other by what ends all of them. Where that is not one thing, a carriage return is a character. */
function docOf({ text, eol }: LoadedText): Text {
  return split(text, ENDINGS[eol])
}

function split(text: string, ending: string): Text {
  return Text.of(text.split(ending))
}

function linesOf(doc: Text): string[] {
  return doc.toJSON().slice(0, countLines(doc))
}
