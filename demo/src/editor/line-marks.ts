import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type { ChangedLines } from '../text/changed-lines.js'

/** Marked lines, 0-based. */
export interface LineMarks {
  readonly changes: ChangedLines
  /** Highlighted lines. Undefined: keep the current highlight. */
  readonly fresh?: ReadonlySet<number>
}

/** Replaces the line marks. */
export const setLineMarks = StateEffect.define<LineMarks>()

const changed = Decoration.line({ class: 'is-changed' })
const removedBefore = Decoration.line({ class: 'has-removed' })
const removedAfter = Decoration.line({ class: 'has-removed-after' })
const lit = Decoration.line({ class: 'is-fresh' })

/** Counts lines like read_file: a final newline ends the last line and starts none. */
export function countLines(doc: Text): number {
  return doc.line(doc.lines).length === 0 ? doc.lines - 1 : doc.lines
}

function decorationsOf(doc: Text, lines: ReadonlySet<number>, decoration: Decoration): DecorationSet {
  const known = [...lines].filter((line) => line >= 0 && line < doc.lines).sort((a, b) => a - b)
  return Decoration.set(known.map((line) => decoration.range(doc.line(line + 1).from)))
}

const freshField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const asked = effects.find((effect) => effect.is(setLineMarks))?.value.fresh
    return asked ? decorationsOf(state.doc, asked, lit) : marks.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

const changesField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state: { doc } }) {
    const asked = effects.find((effect) => effect.is(setLineMarks))?.value.changes
    if (!asked) return marks.map(changes)
    const last = countLines(doc)
    const gone = asked.removedBefore
    const atEnd = new Set(gone.has(last) && last > 0 ? [last - 1] : [])
    return joined(doc, [
      [asked.changed, changed],
      [gone, removedBefore],
      [atEnd, removedAfter],
    ])
  },
  provide: (field) => EditorView.decorations.from(field),
})

function joined(doc: Text, parts: readonly (readonly [ReadonlySet<number>, Decoration])[]): DecorationSet {
  return parts.reduce<DecorationSet>((all, [lines, decoration]) => {
    const add = [...lines].filter((line) => line < countLines(doc)).map((line) => decoration.range(doc.line(line + 1).from))
    return add.length ? all.update({ add, sort: true }) : all
  }, Decoration.none)
}

/** Adds line numbers to the visible lines, like the read-only view does. */
const numbers = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = numbered(view)
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate): void {
      if (docChanged || viewportChanged) this.decorations = numbered(view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function numbered({ state: { doc }, viewport }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const last = Math.min(doc.lineAt(viewport.to).number, countLines(doc))
  for (let number = doc.lineAt(viewport.from).number; number <= last; number += 1) {
    const { from } = doc.line(number)
    builder.add(from, from, Decoration.line({ class: 'line', attributes: { 'data-line': String(number) } }))
  }
  return builder.finish()
}

export const lineMarks: Extension = [freshField, changesField, numbers]
