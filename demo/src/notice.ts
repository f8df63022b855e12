import { h } from './dom.js'
import { icon } from './icons.js'

export interface NoticeAction {
  readonly label: string
  readonly run: () => void
  /** Gone with the next call, after which it would do something else. */
  readonly passing?: boolean
}

export interface Notice {
  readonly element: HTMLElement
  /** `action`: what can be done about it, until something else is told. */
  tell(text: string, kind?: 'info' | 'error', action?: NoticeAction): void
  /** How far what was told is by now. */
  update(text: string): void
  clear(): void
  /** Something has been called: what was to be done before that is over. */
  called(): void
}

/** One line below the header that says what happened, until it is closed. */
export function createNotice(): Notice {
  const text = h('p', {})
  const close = h(
    'button',
    { type: 'button', class: 'button icon-button quiet small', 'aria-label': 'Close this message', on: { click: clear } },
    icon('cross'),
  )
  const actions = h('div', { class: 'notice-actions' }, close)
  let passing = false
  const element = h('div', { class: 'notice', role: 'status', hidden: true }, text, actions)
  function actionButton({ label, run }: NoticeAction): HTMLElement {
    const onClick = (): void => {
      clear()
      run()
    }
    return h('button', { type: 'button', class: 'button small', on: { click: onClick } }, label)
  }
  function clear(): void {
    element.hidden = true
    text.textContent = ''
  }
  return {
    element,
    clear,
    update(message) {
      text.textContent = message
    },
    called() {
      if (passing) clear()
    },
    tell(message, kind = 'info', action) {
      passing = action?.passing === true
      element.className = `notice is-${kind}`
      element.hidden = false
      text.textContent = message
      actions.replaceChildren(...(action ? [actionButton(action)] : []), close)
    },
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
