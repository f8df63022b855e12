import { h } from '../dom.js'
import type { Example } from './examples/known.js'

/** A button for each example. Empty if there are no examples. */
export function exampleButtons(list: readonly (Example | undefined)[], onChoose: (input: unknown) => void): HTMLElement[] {
  const buttons = list
    .filter((example) => example !== undefined)
    .map(({ label, input }) => h('button', { type: 'button', class: 'chip', on: { click: () => onChoose(input) } }, label))
  return buttons.length ? [h('span', { class: 'examples-label' }, 'Try'), ...buttons] : []
}
