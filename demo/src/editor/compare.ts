import { goToNextChunk, goToPreviousChunk, unifiedMergeView } from '@codemirror/merge'
import { type Extension, Prec, type Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { h } from '../dom.js'

/** `merge`: compares with a version saved by someone else. `unsaved`: compares with the file. */
export type Comparison = 'merge' | 'unsaved'

/** An inline diff against `original`, with buttons for each difference. */
export function comparison(kind: Comparison, original: Text): Extension {
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
