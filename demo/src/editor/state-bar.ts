import { textButton } from '../button.js'
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

/** A bar above a text that shows a problem and its remedies. `onLeave` is called when the bar disappears while it has the focus. */
export function createStateBar(label: string, onLeave: () => void): StateBar {
  const element = h('div', { class: 'editor-bar', role: 'group', 'aria-label': label, hidden: true })
  let shown = ''
  let current: BarState | undefined

  function show(state: BarState | undefined): void {
    current = state
    const key = JSON.stringify(state ?? null)
    // Redraws only when the content changes, because the focus may be in the bar.
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
      textButton(label, () => current?.actions?.[index]?.run(), { class: `small ${primary ? 'primary' : ''}` }),
    )
    return h('div', { class: 'editor-bar-actions' }, ...buttons)
  }

  return { element, show }
}
