import { goToNextChunk, goToPreviousChunk, unifiedMergeView } from '@codemirror/merge'
import { type Extension, Prec, type Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { h } from '../dom.js'

/** `merge`: with what somebody else has saved; `unsaved`: with what the file holds. */
export type Comparison = 'merge' | 'unsaved'

/** The text beside another one: what differs is shown in place, each difference with what can be done about it. */
export function comparison(kind: Comparison, original: Text): Extension {
  return [
    unifiedMergeView({
      original,
      collapseUnchanged: { margin: 3, minSize: 6 },
      diffConfig: { scanLimit: 1000, timeout: 300 },
      mergeControls: (type, action) => control(kind, type, action),
    }),
    // Lines as long as they are would take the buttons out of sight.
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
  // What is not saved needs no word that it may stay.
  if (kind === 'unsaved' && type === 'accept') return h('span', { hidden: true })
  const label = kind === 'unsaved' ? 'Put back' : type === 'accept' ? 'Keep mine' : 'Take theirs'
  return h('button', { type: 'button', class: `chunk-${type}`, on: { click: action } }, label)
}
