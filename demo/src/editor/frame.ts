import { textButton } from '../button.js'
import { h, uniqueId } from '../dom.js'
import type { IconName } from '../icons.js'

/** The elements of the editor pane. */
export interface Frame {
  readonly title: HTMLElement
  readonly meta: HTMLElement
  /** Scroll container of the read-only view. */
  readonly body: HTMLElement
  /** Container of the editor. */
  readonly host: HTMLElement
  readonly hint: HTMLElement
  readonly place: HTMLElement
  readonly said: HTMLElement
  readonly runButton: HTMLButtonElement
  readonly previewButton: HTMLButtonElement
  readonly saveButton: HTMLButtonElement
  readonly changesButton: HTMLButtonElement
}

export interface FrameOptions {
  readonly onRun: () => void
  readonly onPreview: () => void
  readonly onSave: () => void
  readonly onChanges: () => void
}

const MODIFIER = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export function createFrame({ onRun, onPreview, onSave, onChanges }: FrameOptions): Frame {
  const host = h('div', { class: 'editor-host', hidden: true })
  const runButton = headButton('Run', 'run', `Run this file (${MODIFIER} ↵ in this pane)`, onRun)
  runButton.classList.add('run-file')
  runButton.setAttribute('aria-label', 'Run this file')
  runButton.setAttribute('aria-keyshortcuts', 'Control+Enter Meta+Enter')
  const saveButton = headButton('Save', 'save', `Save (${MODIFIER} S)`, onSave)
  saveButton.setAttribute('aria-keyshortcuts', 'Control+S Meta+S')
  return {
    title: h('h2', { id: uniqueId('view-heading'), class: 'file-title' }),
    meta: h('ul', { class: 'meta', 'aria-label': 'About this file' }),
    body: h('div', { class: 'view-body', id: uniqueId('file'), tabindex: 0, role: 'region', 'aria-label': 'Content of the file' }, host),
    host,
    hint: h('p', { class: 'editor-hint', id: uniqueId('hint') }, 'Escape, then Tab, leaves the text'),
    place: h('span', { class: 'editor-place', hidden: true }),
    said: h('span', { class: 'editor-said', role: 'status' }),
    runButton,
    previewButton: headButton('Preview', 'eye', 'Show this file in the preview', onPreview),
    saveButton,
    changesButton: headButton('Changes', 'diff', 'Show what is not saved yet beside what is', onChanges),
  }
}

function headButton(label: string, name: IconName, title: string, onClick: () => void): HTMLButtonElement {
  return textButton(label, onClick, { icon: name, class: 'small', hidden: true, 'aria-label': label, title })
}
