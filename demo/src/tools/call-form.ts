import type { ManifestEntry, ToolError } from 'toolport'
import { h } from '../dom.js'
import { createToolForm, type ToolForm } from '../form/tool-form.js'
import { describe } from './describe.js'
import type { Example } from './examples/known.js'

export type Input = Readonly<Record<string, unknown>>

export interface CallForm {
  readonly element: HTMLElement
  /** The current form, replaced when another tool is chosen. Undefined: no form. */
  readonly form: ToolForm | undefined
  /** Shows the empty form of a tool. Undefined: the preset has no tools. */
  use(tool: ManifestEntry | undefined, examples: readonly (Example | undefined)[]): void
  fill(input: unknown): void
  /** The current input, whether valid or not. */
  peek(): Input
  /** The validated input. Undefined, after showing the problems, if it cannot be sent. */
  read(): Input | undefined
  /** Shows validation issues that the tool reported. */
  tell(issues: NonNullable<ToolError['output']['issues']>): void
}

export interface CallFormOptions {
  readonly suggest: (typed: string) => readonly string[]
  /** Called when the form was filled. */
  readonly onFill: () => void
}

/** The description of a tool, its examples, and the form of a call. */
export function createCallForm({ suggest, onFill }: CallFormOptions): CallForm {
  const examplesRow = h('div', { class: 'examples', role: 'group', 'aria-label': 'Examples' })
  const problems = h('div', { class: 'form-problems', role: 'alert' })
  const element = h('div', { class: 'form-scroll' })
  let form: ToolForm | undefined

  function fill(input: unknown): void {
    form?.showIssues([])
    say([])
    form?.fill(input)
    onFill()
  }

  /** Fills the form visibly. */
  function fillWith(example: unknown): void {
    fill(example)
    form?.showFilled()
  }

  function say(messages: readonly string[]): void {
    problems.replaceChildren(...messages.map((message) => h('p', {}, message)))
  }

  return {
    element,
    get form() {
      return form
    },
    use(tool, examples) {
      say([])
      form = tool && createToolForm(tool.inputSchema, suggest)
      if (tool && form) {
        examplesRow.replaceChildren(...exampleButtons(examples, fillWith))
        const description = h('div', { class: 'tool-description' }, ...describe(tool.description))
        element.replaceChildren(description, examplesRow, problems, form.element)
      } else element.replaceChildren(h('p', { class: 'empty' }, 'This runtime has no tools.'))
      element.scrollTop = 0
    },
    fill,
    peek: () => form?.read() ?? {},
    read() {
      const unreadable = form?.problems() ?? []
      say(form?.showIssues(unreadable) ?? [])
      return unreadable.length ? undefined : form?.read()
    },
    tell: (issues) => say(form?.showIssues(issues) ?? []),
  }
}

/** A button for each example. Empty if there are no examples. */
function exampleButtons(list: readonly (Example | undefined)[], onChoose: (input: unknown) => void): HTMLElement[] {
  const buttons = list
    .filter((example) => example !== undefined)
    .map(({ label, input }) => h('button', { type: 'button', class: 'chip', on: { click: () => onChoose(input) } }, label))
  return buttons.length ? [h('span', { class: 'examples-label' }, 'Try'), ...buttons] : []
}
