import { h } from '../dom.js'
import { plural } from '../format.js'
import { type IconName, icon } from '../icons.js'
import type { Snapshot } from '../session.js'
import { createTabs } from '../tabs.js'
import { createFileTree, type FileTree } from './file-tree.js'
import type { TreeActions } from './tree-actions.js'

export interface FilesPane extends Pick<FileTree, 'element' | 'select'> {
  show(snapshot: Snapshot): void
}

export interface FilesPaneOptions {
  readonly onOpen: (path: string) => void
  readonly actions: TreeActions
  readonly timeline: HTMLElement
  readonly packages: HTMLElement
  readonly onPackages: () => void
}

/** The tree with its empty state and a line that sums up what changed, and beside it the timeline and the packages. */
export function createFilesPane({ onOpen, actions, timeline, packages, onPackages }: FilesPaneOptions): FilesPane {
  const tree = createFileTree({ onOpen, actions })
  const empty = h('p', { class: 'empty' }, 'Nothing here. Make a file above, or open a folder.')
  const changed = h('p', { class: 'pane-foot', 'aria-live': 'polite' })
  const collapse = h(
    'button',
    {
      type: 'button',
      class: 'button icon-button quiet small collapse-all',
      'aria-label': 'Close all folders',
      title: 'Close all folders',
      on: { click: () => tree.collapseAll() },
    },
    icon('collapse'),
  )
  const tools = h(
    'div',
    { class: 'tree-tools', role: 'toolbar', 'aria-label': 'Change files' },
    toolButton('New file', 'newFile', () => tree.create('file')),
    toolButton('New folder', 'newFolder', () => tree.create('dir')),
    h('span', { class: 'tree-tools-gap' }),
    toolButton('Rename', 'rename', tree.rename, 'F2'),
    toolButton('Move', 'move', tree.relocate),
    toolButton('Delete', 'trash', tree.remove, 'Delete'),
  )
  const files = h('div', { class: 'side-panel' }, tools, tree.element, empty, changed)
  const history = h('div', { class: 'side-panel' }, timeline)
  const installed = h('div', { class: 'side-panel' }, packages)
  const tabs = createTabs('Files, timeline and packages', [
    { label: 'Files', panel: files },
    { label: 'Timeline', panel: history },
    { label: 'Packages', panel: installed, onShow: onPackages },
  ])
  tabs.list.classList.add('side-tabs')
  tabs.select(0)
  const element = h(
    'nav',
    { class: 'pane pane-files', 'aria-label': 'Files' },
    h('div', { class: 'pane-head' }, tabs.list, collapse),
    files,
    history,
    installed,
  )
  return {
    element,
    select: tree.select,
    show(snapshot) {
      tree.show(snapshot)
      empty.hidden = snapshot.entries.length > 0
      tree.element.hidden = snapshot.entries.length === 0
      changed.replaceChildren(...summary(snapshot))
    },
  }
}

function toolButton(label: string, name: IconName, onClick: () => void, key?: string): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'button icon-button quiet small',
      'aria-label': label,
      'aria-keyshortcuts': key,
      title: key ? `${label} (${key})` : label,
      on: { click: onClick },
    },
    icon(name),
  )
}

function summary({ changes }: Snapshot): (string | Node)[] {
  if (changes.size === 0) return ['No changes since it was loaded']
  const kinds = (['added', 'modified', 'deleted'] as const).flatMap((kind) => {
    const number = [...changes.values()].filter((change) => change === kind).length
    return number ? [h('span', { class: `count is-${kind}` }, `${number} ${kind}`)] : []
  })
  return [`${plural(changes.size, 'change')}: `, ...kinds.flatMap((kind, index) => (index ? [', ', kind] : [kind]))]
}
