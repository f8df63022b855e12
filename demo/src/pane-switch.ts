import { h, uniqueId } from './dom.js'

export type PaneName = 'files' | 'view' | 'preview' | 'agent' | 'tools' | 'terminal'

export interface PaneSwitch {
  readonly element: HTMLElement
  readonly shown: PaneName
  show(pane: PaneName): void
  /** Whether the app's pane can be chosen. Initially it cannot. */
  offerApp(isOffered: boolean): void
}

const LABELS = { files: 'Files', view: 'View', preview: 'App', agent: 'Agent', tools: 'Tools', terminal: 'Terminal' } as const

/** On narrow screens, chooses the single visible pane. Hidden where all panes fit. */
export function createPaneSwitch(panes: HTMLElement, first: PaneName, onShow: (pane: PaneName) => void): PaneSwitch {
  const group = uniqueId('pane')
  const inputs = new Map<PaneName, HTMLInputElement>()
  const options = (Object.keys(LABELS) as PaneName[]).map((name) => {
    const input = h('input', { type: 'radio', name: group, value: name, class: 'visually-hidden', on: { change: () => show(name) } })
    inputs.set(name, input)
    return h('label', { class: 'pane-option', hidden: name === 'preview' }, input, h('span', {}, LABELS[name]))
  })
  let shown = first
  function show(name: PaneName): void {
    shown = name
    panes.dataset.pane = name
    const input = inputs.get(name)
    if (input) input.checked = true
    onShow(name)
  }
  show(first)
  const choice = h('div', { class: 'pane-options', role: 'radiogroup', 'aria-label': 'Pane' }, ...options)
  return {
    element: h('nav', { class: 'pane-switch', 'aria-label': 'Panes' }, choice),
    get shown() {
      return shown
    },
    show,
    offerApp(isOffered) {
      inputs.get('preview')?.parentElement?.toggleAttribute('hidden', !isOffered)
      if (!isOffered && shown === 'preview') show('view')
    },
  }
}
