import { aboutLine } from './about-line.js'
import { textButton } from './button.js'
import { h } from './dom.js'
import { icon, mark } from './icons.js'
import { themeToggle } from './theme.js'

export interface HeaderOptions {
  readonly onOpenFolder: () => void
  readonly onReset: () => void
  /** Called when the workspace's name is clicked. */
  readonly onWorkspace: () => void
  readonly onHelp: () => void
}

export interface Header {
  readonly element: HTMLElement
  setWorkspace(name: string, detail: string): void
}

export function createHeader({ onOpenFolder, onReset, onWorkspace, onHelp }: HeaderOptions): Header {
  const name = h('strong', { class: 'workspace-name' })
  const detail = h('span', { class: 'workspace-detail' })
  const open = textButton('Open a folder', onOpenFolder, { icon: 'folder', class: 'on-header' })
  const reset = h(
    'button',
    {
      type: 'button',
      class: 'button icon-button on-header',
      'aria-label': 'Start over with the files as they were loaded',
      title: 'Start over with the files as they were loaded',
      on: { click: onReset },
    },
    icon('reset'),
  )
  const help = h(
    'button',
    { type: 'button', class: 'button icon-button on-header', 'aria-haspopup': 'dialog', title: 'Help and keys', on: { click: onHelp } },
    h('span', { 'aria-hidden': 'true' }, '?'),
    h('span', { class: 'visually-hidden' }, 'Help and keys'),
  )
  const element = h(
    'header',
    { class: 'header' },
    h('div', { class: 'brand' }, mark(), h('h1', {}, 'Toolport')),
    aboutLine(),
    h(
      'button',
      {
        type: 'button',
        class: 'workspace-button',
        'aria-haspopup': 'dialog',
        title: 'Samples and new workspaces, where it lives, import and export',
        on: { click: onWorkspace },
      },
      h('span', { class: 'workspace' }, h('span', { class: 'visually-hidden' }, 'Workspace '), name, detail),
      icon('chevron'),
    ),
    h('div', { class: 'header-actions' }, open, reset, themeToggle(), help),
  )
  return {
    element,
    setWorkspace(newName, newDetail) {
      name.textContent = newName
      detail.textContent = newDetail
    },
  }
}
