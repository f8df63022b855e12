import { h } from './dom.js'
import { createTabs } from './tabs.js'

export type Work = 'agent' | 'tools'

export interface WorkPane {
  readonly element: HTMLElement
  readonly shown: Work
  show(work: Work): void
  /** Shows on the agent's tab whether the agent waits for the user's approval. */
  waits(waiting: boolean): void
}

/** The agent and the tools in two tabs of one pane. `onShow` is called when the user chooses a tab. */
export function createWorkPane(agent: HTMLElement, tools: HTMLElement, onShow: (work: Work) => void): WorkPane {
  const tabs = createTabs('Work', [
    { label: 'Agent', panel: agent, onShow: () => onShow('agent') },
    { label: 'Tools', panel: tools, onShow: () => onShow('tools') },
  ])
  // Their content is focusable itself.
  for (const panel of [agent, tools]) panel.removeAttribute('tabindex')
  tabs.list.classList.add('work-tabs')
  const [tab] = tabs.tabs
  return {
    element: h('section', { class: 'pane pane-work', 'aria-label': 'Work' }, tabs.list, agent, tools),
    get shown() {
      return tabs.selected === 0 ? 'agent' : 'tools'
    },
    show: (work) => tabs.select(work === 'agent' ? 0 : 1),
    waits(waiting) {
      if (!tab) return
      tab.toggleAttribute('data-waits', waiting)
      tab.ariaLabel = waiting ? 'Agent, waits for your approval' : null
    },
  }
}
