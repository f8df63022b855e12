import { h, uniqueId } from '../dom.js'
import type { Property } from './schema.js'

/** A form field, or a group of fields. */
export interface Field {
  readonly element: HTMLElement
  readonly property: Property
  /** Path in the input, such as `edits[0].old_string`. The path of a list item changes when an earlier item is removed. */
  path(): string
  /** Current value. Undefined: omitted, so the default applies. */
  read(): unknown
  /** Sets a value. Undefined: resets the field. */
  fill(value: unknown): void
  /** Shows error messages. An empty list removes them. */
  report(messages: readonly string[]): void
  /** An error that the form itself detects: invalid number or invalid JSON. */
  problem(): string | undefined
  /** Nested fields. */
  fields(): readonly Field[]
  focus(): void
}

export interface FieldOptions extends Property {
  readonly path: () => string
  /** Completions of a path field. */
  readonly suggest: (typed: string) => readonly string[]
  /** Creates nested fields. */
  readonly create: (options: FieldOptions) => Field
  /** Omits the heading, for list items, which have their own. */
  readonly bare?: boolean
}

/** Label, hint and error messages for a control, accessible to screen readers. */
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

/** Formats a default value: as JSON, strings without quotes. */
export function showDefault(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
