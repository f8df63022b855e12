import { h } from './dom.js'
import { icon } from './icons.js'

export interface Notice {
  readonly element: HTMLElement
  tell(text: string, kind?: 'info' | 'error'): void
  clear(): void
}

/** One line below the header that says what happened, until it is closed. */
export function createNotice(): Notice {
  const text = h('p', {})
  const close = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Close this message', on: { click: clear } },
    icon('cross'),
  )
  const element = h('div', { class: 'notice', role: 'status', hidden: true }, text, close)
  function clear(): void {
    element.hidden = true
    text.textContent = ''
  }
  return {
    element,
    clear,
    tell(message, kind = 'info') {
      element.className = `notice is-${kind}`
      element.hidden = false
      text.textContent = message
    },
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
