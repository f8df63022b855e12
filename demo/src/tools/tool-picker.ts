import type { ManifestEntry } from 'toolport'
import { h, uniqueId } from '../dom.js'

export interface ToolPicker {
  readonly element: HTMLElement
  choose(name: string): void
}

/** What the tools of background sessions have in common: it stands once, before their row. */
const SUFFIX = '_background_bash'

/** The tools as one group of radio buttons: those that only look, those that change something, those of background sessions. */
export function createToolPicker(tools: readonly ManifestEntry[], onChoose: (name: string) => void): ToolPicker {
  const group = uniqueId('tool')
  const inputs = new Map<string, HTMLInputElement>()

  function option({ name, description }: ManifestEntry): HTMLElement {
    const input = h('input', {
      type: 'radio',
      name: group,
      value: name,
      class: 'visually-hidden',
      'aria-label': name,
      on: { change: () => onChoose(name) },
    })
    inputs.set(name, input)
    const short = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name
    const rest = h('span', { class: 'visually-hidden' }, name.slice(short.length))
    return h('label', { class: 'tool-option', title: description }, input, h('code', {}, short, short !== name && rest))
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
  const isOfSessions = ({ name }: ManifestEntry): boolean => name.endsWith(SUFFIX)
  const others = tools.filter((tool) => !isOfSessions(tool))
  const reads = (tool: ManifestEntry): boolean => tool.annotations?.readOnlyHint === true
  const element = h(
    'div',
    { class: 'tool-picker', role: 'radiogroup', 'aria-label': 'Tool' },
    row('Look', others.filter(reads)),
    row(
      'Change',
      others.filter((tool) => !reads(tool)),
    ),
    row('Background', tools.filter(isOfSessions)),
  )
  return {
    element,
    choose(name) {
      const input = inputs.get(name)
      if (input) input.checked = true
    },
  }
}
