import { h } from '../dom.js'
import { plural } from '../format.js'
import { icon } from '../icons.js'
import type { Snapshot } from '../session.js'
import { createTabs } from '../tabs.js'
import { createFileTree, type FileTree } from './file-tree.js'

export interface FilesPane extends Omit<FileTree, 'show' | 'collapseAll'> {
  show(snapshot: Snapshot): void
}

export interface FilesPaneOptions {
  readonly onOpen: (path: string) => void
  readonly timeline: HTMLElement
  readonly packages: HTMLElement
  readonly onPackages: () => void
}

/** The tree with its empty state and a line that sums up what changed, and beside it the timeline and the packages. */
export function createFilesPane({ onOpen, timeline, packages, onPackages }: FilesPaneOptions): FilesPane {
  const tree = createFileTree(onOpen)
  const empty = h('p', { class: 'empty' }, 'Nothing here. Open a folder, or make a file with write_file.')
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
  const files = h('div', { class: 'side-panel' }, tree.element, empty, changed)
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

function summary({ changes }: Snapshot): (string | Node)[] {
  if (changes.size === 0) return ['No changes since it was loaded']
  const kinds = (['added', 'modified', 'deleted'] as const).flatMap((kind) => {
    const number = [...changes.values()].filter((change) => change === kind).length
    return number ? [h('span', { class: `count is-${kind}` }, `${number} ${kind}`)] : []
  })
  return [`${plural(changes.size, 'change')}: `, ...kinds.flatMap((kind, index) => (index ? [', ', kind] : [kind]))]
}
