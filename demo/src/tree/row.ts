import { h } from '../dom.js'
import { icon } from '../icons.js'
import type { TreeRow } from './model.js'

const LETTER = { added: 'A', modified: 'M', deleted: 'D' } as const

export interface RowState {
  readonly expanded: boolean
  readonly selected: boolean
  readonly focusable: boolean
}

/** Must agree with `--row-height`. */
export const ROW_HEIGHT = 26

/** A `treeitem`. The tree is flat in the document, so level, place and number of siblings are spelled out. */
export function renderRow({ node, place, siblings }: TreeRow, index: number, { expanded, selected, focusable }: RowState): HTMLElement {
  const isDir = node.kind === 'dir'
  const row = h(
    'div',
    {
      role: 'treeitem',
      class: `tree-row ${node.change ? `is-${node.change}` : ''}`,
      'aria-label': node.change ? `${node.name}, ${isDir ? 'holds changes' : node.change}` : node.name,
      'data-path': node.path,
      'aria-level': node.depth,
      'aria-posinset': place,
      'aria-setsize': siblings,
      'aria-expanded': isDir ? String(expanded) : undefined,
      'aria-selected': String(selected),
      tabindex: focusable ? 0 : -1,
    },
    isDir ? icon('chevron') : h('span', { class: 'icon' }),
    icon(isDir ? 'dir' : node.kind === 'symlink' ? 'link' : 'file'),
    h('span', { class: 'tree-name' }, node.name),
    node.change && h('span', { class: 'tree-mark', 'data-mark': isDir ? '•' : LETTER[node.change] }),
  )
  row.style.top = `${index * ROW_HEIGHT}px`
  row.style.setProperty('--depth', String(node.depth - 1))
  return row
}
