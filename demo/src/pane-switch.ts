import { h, uniqueId } from './dom.js'

export type PaneName = 'files' | 'view' | 'agent' | 'tools' | 'terminal'

export interface PaneSwitch {
  readonly element: HTMLElement
  show(pane: PaneName): void
}

const LABELS = { files: 'Files', view: 'View', agent: 'Agent', tools: 'Tools', terminal: 'Terminal' } as const

/** On a narrow screen one pane is shown at a time; this chooses which. Hidden where all of them fit. */
export function createPaneSwitch(panes: HTMLElement, first: PaneName, onShow: (pane: PaneName) => void): PaneSwitch {
  const group = uniqueId('pane')
  const inputs = new Map<PaneName, HTMLInputElement>()
  const options = (Object.keys(LABELS) as PaneName[]).map((name) => {
    const input = h('input', { type: 'radio', name: group, value: name, class: 'visually-hidden', on: { change: () => show(name) } })
    inputs.set(name, input)
    return h('label', { class: 'pane-option' }, input, h('span', {}, LABELS[name]))
  })
  function show(name: PaneName): void {
    panes.dataset.pane = name
    const input = inputs.get(name)
    if (input) input.checked = true
    onShow(name)
  }
  show(first)
  const choice = h('div', { class: 'pane-options', role: 'radiogroup', 'aria-label': 'Pane' }, ...options)
  return { element: h('nav', { class: 'pane-switch', 'aria-label': 'Panes' }, choice), show }
}
