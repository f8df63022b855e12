import { iconButton } from '../button.js'
import { h } from '../dom.js'
import { plural } from '../format.js'
import { type IconName, icon } from '../icons.js'
import { SEARCH_KEYS } from '../search/shortcuts.js'
import type { Snapshot } from '../session.js'
import { createTabs } from '../tabs.js'
import { createFileTree, type FileTree } from './file-tree.js'
import type { TreeActions } from './tree-actions.js'

export interface FilesPane extends Pick<FileTree, 'element' | 'select'> {
  show(snapshot: Snapshot): void
  /** Shows the search. */
  showSearch(): void
  /** Shows and focuses the files. */
  focus(): void
  /** Shows the files and asks for the name of a new one. */
  newFile(): void
}

export interface FilesPaneOptions {
  readonly onOpen: (path: string) => void
  readonly actions: TreeActions
  /** The empty state of a workspace without files. */
  readonly offers: HTMLElement
  readonly search: HTMLElement
  /** Called when the search is shown. `isWanted`: the user wants to type. */
  readonly onSearch: (isWanted?: boolean) => void
  readonly timeline: HTMLElement
  readonly packages: HTMLElement
  readonly onPackages: () => void
}

const SEARCH = 1

/** The file tree with its empty state and a summary of changes. Other tabs show the search, the timeline and the packages. */
export function createFilesPane(options: FilesPaneOptions): FilesPane {
  const { onOpen, actions, offers, search, onSearch, timeline, packages, onPackages } = options
  const tree = createFileTree({ onOpen, actions, onRows })
  offers.hidden = true
  const changed = h('p', { class: 'pane-foot', 'aria-live': 'polite' })
  const tools = h(
    'div',
    { class: 'tree-tools', role: 'toolbar', 'aria-label': 'Change files' },
    toolButton('New file', 'newFile', () => tree.create('file')),
    toolButton('New folder', 'newFolder', () => tree.create('dir')),
    h('span', { class: 'tree-tools-gap' }),
    toolButton('Rename', 'rename', tree.rename, 'F2'),
    toolButton('Move', 'move', tree.relocate),
    toolButton('Delete', 'trash', tree.remove, 'Delete'),
    toolButton('Close all folders', 'collapse', tree.collapseAll),
  )
  const files = h('div', { class: 'side-panel' }, tools, tree.element, offers, changed)
  const found = h('div', { class: 'side-panel' }, search)
  const history = h('div', { class: 'side-panel' }, timeline)
  const installed = h('div', { class: 'side-panel' }, packages)
  const tabs = createTabs('Files, search, timeline and packages', [
    { label: 'Files', panel: files },
    { label: 'Search', panel: found, class: 'tab-search', onShow: () => onSearch() },
    { label: 'Timeline', panel: history },
    { label: 'Packages', panel: installed, onShow: onPackages },
  ])
  tabs.list.classList.add('side-tabs')
  // Narrow panes show only the icon.
  const searchTab = tabs.tabs[SEARCH]
  searchTab?.replaceChildren(icon('search'), h('span', { class: 'tab-word' }, 'Search'))
  searchTab?.setAttribute('title', `Search in all files (${SEARCH_KEYS.shown})`)
  searchTab?.setAttribute('aria-keyshortcuts', SEARCH_KEYS.aria)
  // Focuses the search only after mouse clicks, because arrow keys walk through the tabs.
  searchTab?.addEventListener('click', ({ detail }) => detail > 0 && onSearch(true))
  // Its content is focusable itself.
  found.removeAttribute('tabindex')
  tabs.select(0)
  const element = h(
    'nav',
    { class: 'pane pane-files', 'aria-label': 'Files' },
    h('div', { class: 'pane-head' }, tabs.list),
    files,
    found,
    history,
    installed,
  )
  /** The name field counts as a row. If the last row disappears, the empty state takes the focus. */
  function onRows(count: number): void {
    const hadFocus = tree.element.contains(document.activeElement)
    tree.element.hidden = count === 0
    offers.hidden = count > 0
    if (count === 0 && hadFocus) offers.querySelector('button')?.focus()
  }

  return {
    element,
    select: tree.select,
    show(snapshot) {
      tree.show(snapshot)
      changed.replaceChildren(...summary(snapshot))
    },
    showSearch() {
      tabs.select(SEARCH)
      onSearch()
    },
    focus() {
      tabs.select(0)
      const row = tree.element.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')
      if (row) row.focus()
      else tabs.tabs[0]?.focus()
    },
    newFile() {
      tabs.select(0)
      tree.create('file')
    },
  }
}

function toolButton(label: string, name: IconName, onClick: () => void, key?: string): HTMLElement {
  return iconButton(label, name, onClick, { 'aria-keyshortcuts': key, title: key ? `${label} (${key})` : label })
}

function summary({ changes }: Snapshot): (string | Node)[] {
  if (changes.size === 0) return ['No changes since it was loaded']
  const kinds = (['added', 'modified', 'deleted'] as const).flatMap((kind) => {
    const number = [...changes.values()].filter((change) => change === kind).length
    return number ? [h('span', { class: `count is-${kind}` }, `${number} ${kind}`)] : []
  })
  return [`${plural(changes.size, 'change')}: `, ...kinds.flatMap((kind, index) => (index ? [', ', kind] : [kind]))]
}
