import { h } from '../dom.js'

export interface BarAction {
  readonly label: string
  readonly primary?: boolean
  readonly run: () => void
}

export interface BarState {
  readonly kind: 'info' | 'warning'
  readonly text: string
  readonly actions?: readonly BarAction[]
}

export interface StateBar {
  readonly element: HTMLElement
  show(state: BarState | undefined): void
}

/** One line above a text that says what is the matter with it, and what can be done. `onLeave`: what had the focus in it is gone. */
export function createStateBar(label: string, onLeave: () => void): StateBar {
  const element = h('div', { class: 'editor-bar', role: 'group', 'aria-label': label, hidden: true })
  let shown = ''
  let current: BarState | undefined

  function show(state: BarState | undefined): void {
    current = state
    const key = JSON.stringify(state ?? null)
    // Drawn anew only when it says something else: the focus may be in it.
    if (key === shown) return
    shown = key
    const hadFocus = element.contains(document.activeElement)
    element.hidden = state === undefined
    element.className = `editor-bar is-${state?.kind}`
    element.replaceChildren(...(state ? [h('p', { role: 'status' }, state.text), draw(state.actions ?? [])] : []))
    if (hadFocus) onLeave()
  }

  function draw(actions: readonly BarAction[]): HTMLElement {
    const buttons = actions.map(({ label, primary }, index) =>
      h(
        'button',
        {
          type: 'button',
          class: `button small ${primary ? 'primary' : ''}`,
          on: { click: () => current?.actions?.[index]?.run() },
        },
        label,
      ),
    )
    return h('div', { class: 'editor-bar-actions' }, ...buttons)
  }

  return { element, show }
}
