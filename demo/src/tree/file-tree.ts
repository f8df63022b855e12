import { h } from '../dom.js'
import type { Snapshot } from '../session.js'
import { createCommands, NEW, parentOf, type Target } from './commands.js'
import { enableDrag } from './drag.js'
import { createTreeKeys, type TreeAction } from './keys.js'
import { buildTree, newNode, type TreeNode, type TreeRow, visibleRows } from './model.js'
import { createNameField, type NameField, type Naming } from './name-field.js'
import { ROW_HEIGHT, renderRow } from './row.js'
import { showRows } from './show-rows.js'
import type { TreeActions } from './tree-actions.js'

/** Number of rows rendered above and below the visible ones. */
const MARGIN = 12

export interface FileTree {
  readonly element: HTMLElement
  show(snapshot: Pick<Snapshot, 'entries' | 'changes' | 'latest'>): void
  /** Expands the parent directories of the path and marks it as the open file. */
  select(path: string | undefined): void
  collapseAll(): void
  /** Asks for the name of a new entry, in or next to the focused one. */
  create(kind: 'file' | 'dir'): void
  rename(): void
  relocate(): void
  remove(): void
}

export interface FileTreeOptions {
  readonly onOpen: (path: string) => void
  readonly actions: TreeActions
  /** Called with the number of rows. */
  readonly onRows?: (count: number) => void
}

const ROOT: Target = { path: '', kind: 'dir' }

/**
 * A virtualized tree that renders only the visible rows, so its cost does not depend on the size of the workspace. One tab stop; arrow keys
 * move the focus.
 */
export function createFileTree({ onOpen, actions, onRows }: FileTreeOptions): FileTree {
  const list = h('div', { class: 'tree-rows', role: 'presentation' })
  const element = h(
    'div',
    {
      class: 'tree',
      role: 'tree',
      'aria-label': 'Files',
      on: { keydown: onKey, pointerdown: onPress, click: onClick, focusin: onFocus, scroll: render },
    },
    list,
  )
  const keys = createTreeKeys()
  const commands = createCommands({ actions, ask, going, onOpen })
  const open = new Set<string>()
  let nodes = buildTree({ entries: [], changes: new Map(), latest: new Set() })
  let rows: TreeRow[] = []
  let places = new Map<string, number>()
  let focused = ''
  /** Counts how often the user has moved the focus. */
  let choices = 0
  let selected: string | undefined
  let field: NameField | undefined
  let cut: string | undefined
  /** The row where a press began. The row may move before the press ends. */
  let pressed: string | undefined

  enableDrag(element, {
    nodeAt: (target) => nodes.get(rowOf(target)?.dataset.path ?? '\0'),
    onMove: (from, directory) => void commands.moveInto(from, directory),
    onOpen: (directory) => {
      if (open.has(directory) || nodes.get(directory)?.kind !== 'dir') return
      open.add(directory)
      refresh()
    },
  })

  const indexOf = (path: string): number => places.get(path) ?? -1
  const target = (): Target => nodes.get(focused) ?? ROOT

  function refresh(): void {
    const root = nodes.get('')
    const before = rows
    rows = root ? withNew(visibleRows(root, open)) : []
    places = new Map(rows.map(({ node }, index) => [node.path, index]))
    if (indexOf(focused) < 0) focused = nearest(focused, before)
    list.style.height = `${rows.length * ROW_HEIGHT}px`
    onRows?.(rows.length)
    // The row of the name field is gone, and with it the typed text.
    if (field && indexOf(field.naming.path) < 0) field = undefined
    render()
  }

  /** Inserts the row of a new entry first in its directory. */
  function withNew(all: TreeRow[]): TreeRow[] {
    const path = field?.naming.path
    if (!path?.endsWith(NEW)) return all
    const parent = nodes.get(parentOf(path))
    const at = all.findIndex(({ node }) => node === parent) + 1
    if (!parent || (at === 0 && parent.path !== '')) return all
    return all.toSpliced(at, 0, { node: newNode(path, parent), place: 1, siblings: parent.children.length + 1 })
  }

  /** The closest visible row to a removed one: its next sibling, its previous sibling, an ancestor, or the first row. */
  function nearest(path: string, before: readonly TreeRow[]): string {
    for (let gone = path; gone !== ''; gone = parentOf(gone)) {
      const beside = before.map(({ node }) => node.path).filter((one) => parentOf(one) === parentOf(gone))
      const at = beside.indexOf(gone)
      const left = [...beside.slice(at), ...beside.slice(0, Math.max(0, at)).reverse()].find((one) => indexOf(one) >= 0)
      if (at >= 0 && left !== undefined) return left
      if (indexOf(parentOf(gone)) >= 0) return parentOf(gone)
    }
    return rows[0]?.node.path ?? ''
  }

  function render(): void {
    const active = document.activeElement
    const hadFocus = list.contains(active)
    const first = Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT) - MARGIN)
    const last = Math.min(rows.length, Math.ceil((element.scrollTop + (element.clientHeight || 800)) / ROW_HEIGHT) + MARGIN)
    const shown = new Set(Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset))
    // The focused row and the name field stay in the DOM wherever the tree is scrolled to.
    for (const path of [focused, field?.naming.path]) if (path !== undefined && indexOf(path) >= 0) shown.add(indexOf(path))
    const elements = [...shown].sort((a, b) => a - b).flatMap((index) => (rows[index] ? [draw(rows[index], index)] : []))
    showRows(list, elements)
    if (!hadFocus) return
    if (active === field?.input) field?.input.focus({ preventScroll: true })
    else focusRow()
  }

  function draw(row: TreeRow, index: number): HTMLElement {
    const { path } = row.node
    return renderRow(row, index, {
      expanded: open.has(path),
      selected: path === selected,
      focusable: path === focused,
      isCut: path === cut,
      field: path === field?.naming.path ? field : undefined,
    })
  }

  const rowOf = (at: EventTarget | null): HTMLElement | undefined =>
    (at instanceof Element && at.closest<HTMLElement>('[role=treeitem]')) || undefined

  function focusRow(): void {
    const row = [...list.children].find((child) => child instanceof HTMLElement && child.dataset.path === focused)
    if (row instanceof HTMLElement) row.focus({ preventScroll: true })
  }

  /** Restores the focus unless the user has moved on meanwhile. */
  function focusRowAgain(): void {
    const active = document.activeElement
    const isHere = element.closest('.pane')?.contains(active) === true && active?.matches('input, textarea, select') !== true
    if (active === null || active === document.body || isHere) focusRow()
  }

  function isAtWork(): boolean {
    const toolbar = element.parentElement?.querySelector(':scope > [role=toolbar]')
    return [list, toolbar].some((part) => part?.contains(document.activeElement))
  }

  function reveal(index: number): void {
    const top = index * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_HEIGHT - element.clientHeight
  }

  function openAbove(path: string): void {
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) open.add(path.slice(0, slash))
  }

  /** Returns a function that selects the resulting entry, unless the user has moved the focus meanwhile. */
  function going(): (path: string) => void {
    const chosen = choices
    return (path) => {
      openAbove(path)
      if (chosen !== choices) return refresh()
      focused = path
      refresh()
      reveal(indexOf(path))
      render()
      focusRowAgain()
    }
  }

  function ask(naming: Naming): void {
    const directory = parentOf(naming.path)
    if (naming.path.endsWith(NEW) && directory !== '') {
      openAbove(naming.path)
      open.add(directory)
    }
    const onEnd = (isFocused: boolean): void => {
      // Another name field may be open by now.
      if (field === own) field = undefined
      refresh()
      if (isFocused) focusRowAgain()
    }
    const own = createNameField(naming, { onEnd, onProblem: render })
    field = own
    refresh()
    reveal(indexOf(naming.path))
    render()
    own.input.focus({ preventScroll: true })
    own.input.setSelectionRange(0, naming.chosen)
  }

  function act({ type, index }: TreeAction): void {
    const node = rows[index]?.node
    if (!node) return
    focused = node.path
    choices += 1
    const toggled = type === 'open' && node.kind === 'dir'
    if (type === 'collapse' || (toggled && open.has(node.path))) open.delete(node.path)
    else if (type === 'expand' || toggled) open.add(node.path)
    else if (type === 'expand-siblings') for (const other of node.parent?.children ?? []) if (other.kind === 'dir') open.add(other.path)
    if (type === 'focus') render()
    else refresh()
    reveal(indexOf(focused))
    render()
    focusRow()
    if (type === 'open' && node.kind !== 'dir') onOpen(node.path)
  }

  function onKey(event: KeyboardEvent): void {
    if (command(event)) {
      event.preventDefault()
      return
    }
    const action = keys(event, rows, indexOf(focused), open, Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT) - 1))
    if (!action) return
    event.preventDefault()
    act(action)
  }

  /** Handles a command key for the focused entry. Returns false for unrelated keys. */
  function command({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    const isPlain = !ctrlKey && !metaKey && !altKey
    const isCommand = (ctrlKey || metaKey) && !altKey && !shiftKey
    if (isPlain && key === 'F2') rename()
    else if (isPlain && key === 'Delete') remove()
    else if (isCommand && key === 'z') void commands.undo().then(focusRowAgain)
    else if (isCommand && key === 'x') mark(focused)
    else if (isCommand && key === 'v' && cut !== undefined) paste(cut)
    else if (isPlain && key === 'Escape' && cut !== undefined) mark(undefined)
    else return false
    return true
  }

  function mark(path: string | undefined): void {
    cut = path
    render()
  }

  function paste(path: string): void {
    const node: TreeNode | undefined = nodes.get(focused)
    cut = undefined
    void commands.moveInto(path, node?.kind === 'dir' ? node.path : parentOf(focused))
  }

  function rename(): void {
    if (nodes.has(focused) && focused !== '') commands.rename(target())
  }

  function remove(): void {
    void commands.remove(target()).then(focusRowAgain)
  }

  function onPress(event: PointerEvent): void {
    pressed = rowOf(event.target)?.dataset.path
  }

  function onClick(event: MouseEvent): void {
    const path = rowOf(event.target)?.dataset.path ?? pressed
    if (path !== undefined) act({ type: 'open', index: indexOf(path) })
  }

  /** The focus may also move by a right click, a drag or a screen reader; the keys follow the focus. */
  function onFocus({ target: row }: FocusEvent): void {
    if (!(row instanceof HTMLElement) || row !== rowOf(row) || row.dataset.path === focused) return
    focused = row.dataset.path ?? ''
    choices += 1
    for (const child of list.children) if (child instanceof HTMLElement) child.tabIndex = child === row ? 0 : -1
  }

  return {
    element,
    show(snapshot) {
      nodes = buildTree(snapshot)
      if (cut !== undefined && !nodes.has(cut)) cut = undefined
      refresh()
    },
    select(path) {
      selected = path
      // Does not move the focus while the user works in the tree with the keyboard.
      if (path !== focused && isAtWork()) return refresh()
      if (path !== undefined) {
        openAbove(path)
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
    create: (kind) => commands.create(target(), kind),
    rename,
    relocate() {
      if (nodes.has(focused) && focused !== '') commands.relocate(target())
    },
    remove,
  }
}
