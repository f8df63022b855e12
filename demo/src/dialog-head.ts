import { h } from './dom.js'
import { icon } from './icons.js'

/** The head of a dialog: its title and a close button. */
export function createDialogHead(heading: HTMLElement, onClose: () => void): HTMLElement {
  const close = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Close', on: { click: onClose } },
    icon('cross'),
  )
  return h('div', { class: 'dialog-head' }, heading, close)
}
