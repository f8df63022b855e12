import { h } from '../dom.js'
import type { Snapshot } from '../session.js'
import { createTreeKeys, type TreeAction } from './keys.js'
import { buildTree, type TreeRow, visibleRows } from './model.js'
import { ROW_HEIGHT, renderRow } from './row.js'

/** Rows kept in the document above and below what can be seen. */
const MARGIN = 12

export interface FileTree {
  readonly element: HTMLElement
  show(snapshot: Pick<Snapshot, 'entries' | 'changes'>): void
  /** Opens the directories above the path and marks it as the open file. */
  select(path: string | undefined): void
  collapseAll(): void
}

/** A tree that holds only the rows that can be seen, so its size does not depend on the workspace's. One tab stop, moved by keys. */
export function createFileTree(onOpen: (path: string) => void): FileTree {
  const list = h('div', { class: 'tree-rows', role: 'presentation' })
  const element = h(
    'div',
    { class: 'tree', role: 'tree', 'aria-label': 'Files', on: { keydown: onKey, click: onClick, scroll: render } },
    list,
  )
  const keys = createTreeKeys()
  const open = new Set<string>()
  let nodes = buildTree({ entries: [], changes: new Map() })
  let rows: TreeRow[] = []
  let focused = ''
  let selected: string | undefined

  const indexOf = (path: string): number => rows.findIndex((row) => row.node.path === path)

  function refresh(): void {
    const root = nodes.get('')
    rows = root ? visibleRows(root, open) : []
    if (indexOf(focused) < 0) focused = nearest(focused)
    list.style.height = `${rows.length * ROW_HEIGHT}px`
    render()
  }

  /** The closest thing still shown: a directory above, else the first row. */
  function nearest(path: string): string {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      if (indexOf(path.slice(0, slash)) >= 0) return path.slice(0, slash)
    }
    return rows[0]?.node.path ?? ''
  }

  function render(): void {
    const hadFocus = list.contains(document.activeElement)
    const first = Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT) - MARGIN)
    const last = Math.min(rows.length, Math.ceil((element.scrollTop + (element.clientHeight || 800)) / ROW_HEIGHT) + MARGIN)
    const shown = new Set(Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset))
    // The tab stop stays in the document wherever the tree is scrolled to.
    const stop = indexOf(focused)
    if (stop >= 0) shown.add(stop)
    const elements = [...shown].sort((a, b) => a - b).flatMap((index) => (rows[index] ? [draw(rows[index], index)] : []))
    list.replaceChildren(...elements)
    if (hadFocus) focusRow()
  }

  function draw(row: TreeRow, index: number): HTMLElement {
    const { path } = row.node
    return renderRow(row, index, { expanded: open.has(path), selected: path === selected, focusable: path === focused })
  }

  function focusRow(): void {
    const row = [...list.children].find((child) => child instanceof HTMLElement && child.dataset.path === focused)
    if (row instanceof HTMLElement) row.focus({ preventScroll: true })
  }

  function reveal(index: number): void {
    const top = index * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_HEIGHT - element.clientHeight
  }

  function act({ type, index }: TreeAction): void {
    const node = rows[index]?.node
    if (!node) return
    focused = node.path
    const toggled = type === 'open' && node.kind === 'dir'
    if (type === 'collapse' || (toggled && open.has(node.path))) open.delete(node.path)
    else if (type === 'expand' || toggled) open.add(node.path)
    else if (type === 'expand-siblings') for (const other of node.parent?.children ?? []) if (other.kind === 'dir') open.add(other.path)
    refresh()
    reveal(indexOf(focused))
    render()
    focusRow()
    if (type === 'open' && node.kind !== 'dir') onOpen(node.path)
  }

  function onKey(event: KeyboardEvent): void {
    const action = keys(event, rows, indexOf(focused), open, Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT) - 1))
    if (!action) return
    event.preventDefault()
    act(action)
  }

  function onClick(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[role=treeitem]') : null
    if (row instanceof HTMLElement) act({ type: 'open', index: indexOf(row.dataset.path ?? '') })
  }

  return {
    element,
    show(snapshot) {
      nodes = buildTree(snapshot)
      refresh()
    },
    select(path) {
      selected = path
      if (path !== undefined) {
        for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) open.add(path.slice(0, slash))
        focused = path
      }
      refresh()
      const index = path === undefined ? -1 : indexOf(path)
      if (index < 0) return
      reveal(index)
      render()
    },
    collapseAll() {
      open.clear()
      refresh()
    },
  }
}
