import { h, uniqueId } from './dom.js'

export interface TabSpec {
  readonly label: string
  readonly panel: HTMLElement
  readonly class?: string
  /** Called when the tab is shown, except initially. */
  readonly onShow?: () => void
}

export interface Tabs {
  readonly list: HTMLElement
  readonly tabs: readonly HTMLButtonElement[]
  /** Index of the selected tab. */
  readonly selected: number
  select(index: number): void
}

/** A tab list with the keyboard pattern of ARIA: arrows, Home, End; one tab stop. */
export function createTabs(label: string, specs: readonly TabSpec[]): Tabs {
  const tabs = specs.map(({ label, panel, class: extra }, index) => {
    panel.id ||= uniqueId('panel')
    const tab = h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: uniqueId('tab'),
        class: `tab ${extra ?? ''}`,
        'aria-controls': panel.id,
        on: { click: () => choose(index) },
      },
      label,
    )
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    panel.tabIndex = 0
    return tab
  })
  const list = h('div', { role: 'tablist', class: 'tabs', 'aria-label': label, on: { keydown: move } }, ...tabs)

  let selected = 0

  function select(chosen: number): void {
    selected = chosen
    specs.forEach(({ panel }, index) => {
      const tab = tabs[index]
      tab?.setAttribute('aria-selected', String(index === chosen))
      if (tab) tab.tabIndex = index === chosen ? 0 : -1
      panel.hidden = index !== chosen
    })
  }
  function choose(index: number): void {
    select(index)
    specs[index]?.onShow?.()
  }
  function move(event: KeyboardEvent): void {
    const at = tabs.indexOf(document.activeElement as HTMLButtonElement)
    const step: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }
    const next = step[event.key]
    if (at < 0 || next === undefined) return
    event.preventDefault()
    choose(next % tabs.length)
    tabs[next % tabs.length]?.focus()
  }
  select(0)
  return {
    list,
    tabs,
    select,
    get selected() {
      return selected
    },
  }
}
