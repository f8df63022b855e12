import { h } from '../dom.js'
import { ROW_HEIGHT } from '../tree/row.js'
import { showRows } from '../tree/show-rows.js'
import type { FoundLine } from './find-text.js'
import type { Marker } from './marks.js'
import { renderRow } from './result-rows.js'
import { createResults, type Results, type Row } from './results.js'

/** Number of rows rendered above and below the visible ones. */
const MARGIN = 12

export interface ResultList extends Pick<Results, 'files' | 'count'> {
  readonly element: HTMLElement
  add(lines: readonly FoundLine[], mark: Marker): void
  clear(): void
  /** Collapses all files. */
  closeAll(): void
  /** Focuses the row that had the focus last. */
  focus(): void
}

export interface ResultListOptions {
  readonly onOpen: (path: string, line: number) => void
  /** Called when the user presses arrow up on the first row. */
  readonly onAbove: () => void
}

/** A virtualized tree of files and matching lines. One tab stop; arrow keys move the focus. */
export function createResultList({ onOpen, onAbove }: ResultListOptions): ResultList {
  const list = h('div', { class: 'tree-rows', role: 'presentation' })
  const element = h(
    'div',
    {
      class: 'found',
      role: 'tree',
      'aria-label': 'Results',
      hidden: true,
      on: { keydown: onKey, click: onClick, focusin: onFocus, scroll: render },
    },
    list,
  )
  const results = createResults()
  let rows: readonly Row[] = []
  let focused: Row | undefined
  new ResizeObserver(render).observe(element)

  function refresh(): void {
    rows = results.rows()
    if (focused && rows[focused.at] !== focused) focused = focused.kind === 'line' ? focused.file : undefined
    focused ??= rows[0]
    element.hidden = rows.length === 0
    list.style.height = `${rows.length * ROW_HEIGHT}px`
    render()
  }

  function render(): void {
    const hadFocus = list.contains(document.activeElement)
    const first = Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT) - MARGIN)
    const last = Math.ceil((element.scrollTop + element.clientHeight) / ROW_HEIGHT) + MARGIN
    const shown = rows.slice(first, last)
    // The focused row stays in the DOM wherever the list is scrolled to.
    if (focused && !shown.includes(focused)) shown.push(focused)
    const elements = shown.map((row) => renderRow(row, results.files.length, row === focused))
    showRows(list, elements)
    if (hadFocus) focusRow()
  }

  function focusRow(): void {
    list.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }

  function goTo(row: Row | undefined): void {
    if (!row) return
    focused = row
    const top = row.at * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_HEIGHT - element.clientHeight
    render()
    focusRow()
  }

  function setOpen(row: Row, isOpen: boolean): void {
    if (row.kind === 'file') row.isOpen = isOpen
    refresh()
    goTo(row)
  }

  function use(row: Row): void {
    if (row.kind === 'file') {
      setOpen(row, !row.isOpen)
      return
    }
    goTo(row)
    onOpen(row.file.path, row.found.line)
  }

  const rowOf = (target: EventTarget | null): Row | undefined =>
    target instanceof Element ? rows[Number(target.closest<HTMLElement>('[role=treeitem]')?.dataset.at ?? -1)] : undefined

  function onClick({ target }: MouseEvent): void {
    const row = rowOf(target)
    if (row) use(row)
  }

  /** The focus may also move by a right click or a screen reader; the keys follow the focus. */
  function onFocus({ target }: FocusEvent): void {
    const row = rowOf(target)
    if (!row || row === focused) return
    focused = row
    for (const child of list.children) if (child instanceof HTMLElement) child.tabIndex = child === target ? 0 : -1
  }

  function onKey(event: KeyboardEvent): void {
    if (!focused || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT) - 1)
    if (!pressed(event.key, focused, page)) return
    event.preventDefault()
  }

  /** Handles a key. Returns false for unrelated keys. */
  function pressed(key: string, row: Row, page: number): boolean {
    const by = (step: number): void => goTo(rows[Math.min(rows.length - 1, Math.max(0, row.at + step))])
    if (key === 'ArrowUp' && row.at === 0) onAbove()
    else if (key === 'ArrowUp') by(-1)
    else if (key === 'ArrowDown') by(1)
    else if (key === 'PageUp') by(-page)
    else if (key === 'PageDown') by(page)
    else if (key === 'Home') goTo(rows[0])
    else if (key === 'End') goTo(rows.at(-1))
    else if (key === 'ArrowRight') into(row)
    else if (key === 'ArrowLeft') outOf(row)
    else if (key === 'Enter' || key === ' ') use(row)
    else return false
    return true
  }

  function into(row: Row): void {
    if (row.kind === 'line') return
    if (row.isOpen) goTo(row.lines[0])
    else setOpen(row, true)
  }

  function outOf(row: Row): void {
    if (row.kind === 'line') goTo(row.file)
    else setOpen(row, false)
  }

  return {
    element,
    get files() {
      return results.files
    },
    get count() {
      return results.count
    },
    add(lines, mark) {
      results.add(lines, mark)
      refresh()
    },
    clear() {
      results.clear()
      focused = undefined
      element.scrollTop = 0
      refresh()
    },
    closeAll() {
      for (const file of results.files) file.isOpen = false
      refresh()
    },
    focus: () => goTo(focused),
  }
}
