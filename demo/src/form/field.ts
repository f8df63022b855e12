import { h, uniqueId } from '../dom.js'
import type { Property } from './schema.js'

/** One place of the input, or a group of them. */
export interface Field {
  readonly element: HTMLElement
  readonly property: Property
  /** Where it stands in the input: `edits[0].old_string`. Items move when one before them is removed. */
  path(): string
  /** What it contributes to the input; undefined: nothing, so the default holds. */
  read(): unknown
  /** Shows a value; undefined: back to how it began. */
  fill(value: unknown): void
  /** Shows what is wrong with it, in sentences; none: nothing. */
  report(messages: readonly string[]): void
  /** What the form itself can tell is wrong, as a sentence: text that is no number or no JSON. */
  problem(): string | undefined
  /** Fields below it. */
  fields(): readonly Field[]
  focus(): void
}

export interface FieldOptions extends Property {
  readonly path: () => string
  /** Completions of a path field. */
  readonly suggest: (typed: string) => readonly string[]
  /** Makes the fields inside this one. */
  readonly create: (options: FieldOptions) => Field
  /** Without a heading: an item of a list, which has one. */
  readonly bare?: boolean
}

/** Label, hint and place for messages around one control, wired for screen readers. */
export function fieldFrame(
  { name, required, shape }: Property,
  control: HTMLElement,
  hint?: string,
): { element: HTMLElement; report: Field['report'] } {
  control.id ||= uniqueId('field')
  const note = [shape.description, hint].filter(Boolean).join(' ')
  const help = h('p', { class: 'field-help', id: uniqueId('help') }, note)
  const problem = h('p', { class: 'field-problem', id: uniqueId('problem'), hidden: true })
  const label = h('label', { for: control.id }, h('code', {}, name))
  const isCheck = control instanceof HTMLInputElement && control.type === 'checkbox'
  const head = h('div', { class: 'field-head' }, label, required && requiredMark(), note ? help : null)
  const element = h('div', { class: isCheck ? 'field field-check' : 'field' }, ...(isCheck ? [control, head] : [head, control]), problem)
  const described = note ? help.id : ''
  if (described) control.setAttribute('aria-describedby', described)
  if (required) control.setAttribute('aria-required', 'true')

  function report(messages: readonly string[]): void {
    problem.textContent = messages.join(' ')
    problem.hidden = messages.length === 0
    element.classList.toggle('is-wrong', messages.length > 0)
    control.setAttribute('aria-invalid', String(messages.length > 0))
    control.setAttribute('aria-describedby', messages.length ? `${problem.id} ${described}`.trim() : described)
  }
  return { element, report }
}

export function requiredMark(): HTMLElement {
  return h('span', { class: 'required', 'aria-hidden': 'true' }, 'required')
}

/** How a default is told: as JSON, without quotes around a word. */
export function showDefault(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
