import type { ManifestEntry } from 'toolport'
import { textButton } from '../button.js'
import { h, uniqueId } from '../dom.js'
import { createToolFold } from './tool-fold.js'

export interface ToolPicker {
  readonly element: HTMLElement
  /** `focus`: also focuses the tool. */
  choose(name: string, focus?: boolean): void
}

export interface ToolPickerOptions {
  readonly onChoose: (name: string) => void
  /** Whether the tool is a file of the workspace. */
  readonly isOwn: (name: string) => boolean
  /** Starts creating a tool, if the preset supports that. */
  readonly onMake: () => void
}

/** Common suffix of the background tools -> label of their row. */
const JOBS = { _background_bash: 'Bash jobs', _background_js: 'JS jobs' } as const
const JAVASCRIPT: readonly string[] = ['run_js', 'run_js_module', 'install_js_packages']
/** The tool that creates the user's own tools. */
export const MAKER = 'create_persistent_tool'

/**
 * The tools as one group of radio buttons, collapsed to the chosen one. Groups: reading, changing, programs, background sessions, own
 * tools.
 */
export function createToolPicker(tools: readonly ManifestEntry[], { onChoose, isOwn, onMake }: ToolPickerOptions): ToolPicker {
  const group = uniqueId('tool')
  const inputs = new Map<string, HTMLInputElement>()

  function option({ name, description }: ManifestEntry): HTMLElement {
    const input = h('input', {
      type: 'radio',
      name: group,
      value: name,
      class: 'visually-hidden',
      'aria-label': name,
      on: {
        change() {
          fold.tell(name)
          onChoose(name)
        },
      },
    })
    inputs.set(name, input)
    const suffix = suffixOf(name)
    const short = suffix && !isOwn(name) ? name.slice(0, -suffix.length) : name
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
  const kindOf = (tool: ManifestEntry): string => {
    if (isOwn(tool.name)) return 'Yours'
    if (tool.name === MAKER) return MAKER
    const suffix = suffixOf(tool.name)
    if (suffix) return JOBS[suffix]
    if (JAVASCRIPT.includes(tool.name)) return 'JavaScript'
    return tool.annotations?.readOnlyHint === true ? 'Look' : 'Change'
  }
  const of = (kind: string): readonly ManifestEntry[] => tools.filter((tool) => kindOf(tool) === kind)
  const make = tools.some(({ name }) => name === MAKER) && textButton('Make a tool', onMake, { icon: 'plus', class: 'small make-tool' })
  const rows = ['Look', 'Change', 'JavaScript', ...Object.values(JOBS)].map((kind) => row(kind, of(kind)))
  const choices = h(
    'div',
    { class: 'tool-rows', role: 'radiogroup', 'aria-label': 'Tool' },
    ...rows,
    row('Yours', [...of('Yours'), ...of(MAKER)]),
  )
  const fold = createToolFold(choices, make)
  return {
    element: fold.element,
    choose(name, focus = false) {
      const input = inputs.get(name)
      if (!input) return
      input.checked = true
      fold.tell(name)
      if (!focus) return
      input.focus()
      fold.close()
    },
  }
}

function suffixOf(name: string): keyof typeof JOBS | undefined {
  return (Object.keys(JOBS) as (keyof typeof JOBS)[]).find((suffix) => name.endsWith(suffix))
}
