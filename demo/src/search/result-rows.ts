import { h } from '../dom.js'
import { formatCount } from '../format.js'
import { icon } from '../icons.js'
import { ROW_HEIGHT } from '../tree/row.js'
import { visible, visibleName, visibleNameText, visibleText } from '../visible.js'
import { previewOf } from './preview.js'
import type { FileRow, LineRow, Row } from './results.js'

/** Renders a `treeitem`. The tree is flat in the DOM, so ARIA attributes state level, position and number of siblings. */
export function renderRow(row: Row, files: number, isFocusable: boolean): HTMLElement {
  const element = row.kind === 'file' ? fileRow(row, files) : lineRow(row)
  element.tabIndex = isFocusable ? 0 : -1
  // Files have no children, so no other row has this path.
  element.dataset.path = row.kind === 'file' ? row.path : `${row.file.path}/${row.found.line}`
  element.dataset.at = String(row.at)
  element.style.top = `${row.at * ROW_HEIGHT}px`
  element.style.height = `${ROW_HEIGHT}px`
  return element
}

function fileRow({ path, lines, place, isOpen }: FileRow, files: number): HTMLElement {
  const slash = path.lastIndexOf('/') + 1
  return h(
    'div',
    {
      role: 'treeitem',
      class: 'found-row found-file',
      'aria-level': 1,
      'aria-posinset': place,
      'aria-setsize': files,
      'aria-expanded': String(isOpen),
      title: visibleNameText(path),
    },
    icon('chevron'),
    h('span', { class: 'found-name' }, ...visibleName(path.slice(slash))),
    h('span', { class: 'found-folder' }, ...visibleName(path.slice(0, Math.max(0, slash - 1)))),
    h('span', { class: 'found-count' }, formatCount(lines.length), unseen(lines.length === 1 ? ' line' : ' lines')),
  )
}

function lineRow(row: LineRow): HTMLElement {
  const { file, found, mark, place } = row
  row.pieces ??= previewOf(found.text, mark)
  const { pieces } = row
  const text = pieces.map((piece) => piece.text).join('')
  return h(
    'div',
    {
      role: 'treeitem',
      class: 'found-row found-line',
      'aria-level': 2,
      'aria-posinset': place,
      'aria-setsize': file.lines.length,
      title: visibleText(text),
    },
    h('span', { class: 'found-number' }, unseen('Line '), String(found.line)),
    h(
      'span',
      { class: 'found-text' },
      ...pieces.flatMap(({ text, isMatch }) => (isMatch ? h('mark', {}, ...visible(text)) : visible(text))),
    ),
  )
}

/** Text for screen readers only. */
const unseen = (text: string): HTMLElement => h('span', { class: 'visually-hidden' }, text)
