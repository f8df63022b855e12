import type { ManifestEntry } from 'toolport'
import { h, uniqueId } from '../dom.js'

export interface ToolPicker {
  readonly element: HTMLElement
  choose(name: string): void
}

/** The tools as one group of radio buttons, those that only look before those that change something. */
export function createToolPicker(tools: readonly ManifestEntry[], onChoose: (name: string) => void): ToolPicker {
  const group = uniqueId('tool')
  const inputs = new Map<string, HTMLInputElement>()

  function option({ name, description }: ManifestEntry): HTMLElement {
    const input = h('input', { type: 'radio', name: group, value: name, class: 'visually-hidden', on: { change: () => onChoose(name) } })
    inputs.set(name, input)
    return h('label', { class: 'tool-option', title: description }, input, h('code', {}, name))
  }
  function row(label: string, list: readonly ManifestEntry[]): HTMLElement | null {
    return list.length
      ? h(
          'div',
          { class: 'tool-row' },
          h('span', { class: 'tool-row-label', 'aria-hidden': 'true' }, label),
          h('div', { class: 'tool-options' }, ...list.map(option)),
        )
      : null
  }
  const reads = (tool: ManifestEntry): boolean => tool.annotations?.readOnlyHint === true
  const element = h(
    'div',
    { class: 'tool-picker', role: 'radiogroup', 'aria-label': 'Tool' },
    row('Look', tools.filter(reads)),
    row(
      'Change',
      tools.filter((tool) => !reads(tool)),
    ),
  )
  return {
    element,
    choose(name) {
      const input = inputs.get(name)
      if (input) input.checked = true
    },
  }
}
