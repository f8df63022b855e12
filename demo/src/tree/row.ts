import { h } from '../dom.js'
import { icon } from '../icons.js'
import { visibleNameText } from '../visible.js'
import type { TreeNode, TreeRow } from './model.js'
import type { NameField } from './name-field.js'

const LETTER = { added: 'A', modified: 'M', deleted: 'D' } as const

export interface RowState {
  readonly expanded: boolean
  readonly selected: boolean
  readonly focusable: boolean
  /** Whether the entry was cut, to be moved. */
  readonly isCut: boolean
  /** The name field, if the name is being edited. */
  readonly field: Pick<NameField, 'element' | 'problem'> | undefined
}

/** Height of a row, pixels. Touch screens need larger rows. */
export const ROW_HEIGHT = matchMedia('(pointer: coarse)').matches ? 44 : 26

/** Renders a `treeitem`. The tree is flat in the DOM, so ARIA attributes state level, position and number of siblings. */
export function renderRow({ node, place, siblings }: TreeRow, index: number, state: RowState): HTMLElement {
  const { expanded, selected, focusable, isCut, field } = state
  const isDir = node.kind === 'dir'
  const row = h(
    'div',
    {
      role: 'treeitem',
      class: `tree-row ${node.change ? `is-${node.change}` : ''} ${isCut ? 'is-cut' : ''}`,
      'aria-label': [labelOf(node, isCut), field?.problem].filter(Boolean).join(', '),
      'data-path': node.path,
      'aria-level': node.depth,
      'aria-posinset': place,
      'aria-setsize': siblings,
      'aria-expanded': isDir ? String(expanded) : undefined,
      'aria-selected': String(selected),
      'aria-keyshortcuts': 'F2 Delete Control+X Control+V',
      draggable: field ? undefined : 'true',
      tabindex: focusable && !field ? 0 : -1,
    },
    isDir ? icon('chevron') : h('span', { class: 'icon' }),
    icon(isDir ? 'dir' : node.kind === 'symlink' ? 'link' : 'file'),
    field?.element ?? h('span', { class: 'tree-name' }, visibleNameText(node.name)),
    node.isLatest && h('span', { class: 'tree-latest', title: 'By the last change' }),
    node.change && h('span', { class: 'tree-mark', 'data-mark': isDir ? '•' : LETTER[node.change] }),
  )
  row.style.top = `${index * ROW_HEIGHT}px`
  row.style.height = `${ROW_HEIGHT}px`
  row.style.setProperty('--depth', String(node.depth - 1))
  return row
}

function labelOf({ name, kind, change, isLatest }: TreeNode, isCut: boolean): string {
  const what = change && (kind === 'dir' ? 'holds changes' : change)
  return [visibleNameText(name) || 'New', what, isLatest && 'just now', isCut && 'to be moved'].filter(Boolean).join(', ')
}
