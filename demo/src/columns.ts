import { h } from './dom.js'
import { createSplitHandle, type SplitHandleOptions } from './split-handle.js'

/**
 * Draggable borders between the columns of `panes`: between files and view, and between view and agent or tools. Minimum widths are in the
 * CSS. `remember`: store the widths for the next visit.
 */
export function createColumns(panes: HTMLElement, remember: boolean): HTMLElement {
  const border = (label: string, column: string, options: SplitHandleOptions): HTMLElement => {
    const key = remember ? `toolport.${column}-width` : undefined
    return createSplitHandle(panes, label, { name: `${column}-split`, key, vertical: true, ...options })
  }
  return h(
    'section',
    { class: 'borders', 'aria-label': 'Borders of the columns' },
    border('Room for the files', 'files', { min: 10, max: 40 }),
    border('Room beside the agent and the tools', 'work', { min: 30, max: 80 }),
  )
}
