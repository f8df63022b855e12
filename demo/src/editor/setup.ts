import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import { lineMarks } from './line-marks.js'
import { theme } from './theme.js'

/** Keys that the page handles. */
const OURS = new Set(['Mod-Enter', 'Mod-s'])

/** Invisible characters and characters that change the text direction. The editor marks them. */
const MARKED = String.raw`\0-\x08\n-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028\u2029\u202d\u202e\u2066\u2067\u2069\ufeff\ufff9-\ufffc`
/** Maximum number of marked characters per line, or per rendered part of a long line, because more take seconds to lay out. */
const MOST_MARKED = 100
const SPECIAL = new RegExp(`[${MARKED}](?<!(?:[${MARKED}][^${MARKED}]*){${MOST_MARKED}}[${MARKED}])`, 'gu')

/** Labels of the search panel. */
const WORDS = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  replace: 'Replace',
  'replace all': 'Replace all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  close: 'Close the search',
}

/** Extensions of every buffer. */
export const setup: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars({ specialChars: SPECIAL }),
  history(),
  drawSelection(matchMedia('(prefers-reduced-motion: reduce)').matches ? { cursorBlinkRate: 0 } : {}),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  EditorState.tabSize.of(4),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorState.phrases.of(WORDS),
  lineMarks,
  theme,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap.filter(({ key }) => key === undefined || !OURS.has(key)),
    ...searchKeymap,
    ...historyKeymap,
    indentWithTab,
  ]),
]

/** Wraps lines in prose; code is not wrapped. */
export const wrapping = (path: string): Extension => (/\.(md|markdown|txt)$/i.test(path) ? EditorView.lineWrapping : [])

const LOOKED_AT = 500

/** Detects the indentation of a text: tabs, or the smallest number of spaces. */
export function indentation(doc: Text): Extension {
  let smallest = 8
  let seen = false
  for (let number = 1; number <= Math.min(doc.lines, LOOKED_AT); number += 1) {
    const found = /^(\t|( {2,8})(?=[^\s*]))/.exec(doc.line(number).text)
    if (found?.[1] === '\t') return indentUnit.of('\t')
    if (found?.[2]) {
      seen = true
      smallest = Math.min(smallest, found[2].length)
    }
  }
  return indentUnit.of(' '.repeat(seen ? smallest : 2))
}
