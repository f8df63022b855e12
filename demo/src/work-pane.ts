import { h } from './dom.js'
import { createTabs } from './tabs.js'

export type Work = 'agent' | 'tools'

export interface WorkPane {
  readonly element: HTMLElement
  readonly shown: Work
  show(work: Work): void
  /** Whether the agent waits for the user's approval, which is told on its tab. */
  waits(waiting: boolean): void
}

/** The agent and the tools share a place: two ways to work on the same files. `onShow` is told of what the user chooses. */
export function createWorkPane(agent: HTMLElement, tools: HTMLElement, onShow: (work: Work) => void): WorkPane {
  const tabs = createTabs('Work', [
    { label: 'Agent', panel: agent, onShow: () => onShow('agent') },
    { label: 'Tools', panel: tools, onShow: () => onShow('tools') },
  ])
  // What is in them can be reached itself.
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
