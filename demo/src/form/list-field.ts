import { textButton } from '../button.js'
import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import { type Field, type FieldOptions, requiredMark } from './field.js'
import type { Shape } from './schema.js'

interface Item {
  readonly field: Field
  readonly element: HTMLElement
}

/** A list of strings or other shapes, whose items can be added and removed. A required list starts with one item. */
export function listField(options: FieldOptions): Field {
  const { name, required, shape, path } = options
  const itemShape: Shape = shape.kind === 'list' ? shape.item : { kind: 'string', multiline: false }
  const single = shape.kind === 'strings' && shape.single
  const simple = shape.kind === 'strings'
  const label = h('div', { class: 'group-label', id: uniqueId('group') }, h('code', {}, name))
  const help = h('p', { class: 'field-help' }, shape.description)
  const problem = h('p', { class: 'field-problem', hidden: true })
  const holder = h('div', { class: 'items' })
  const add = textButton(simple ? 'Add another' : `Add to ${name}`, () => addItem()?.focus(), { icon: 'plus', class: 'small' })
  const element = h(
    'div',
    { class: `field group ${simple ? 'is-simple' : ''}`, role: 'group', 'aria-labelledby': label.id },
    h('div', { class: 'field-head' }, label, required && requiredMark(), shape.description ? help : null),
    holder,
    add,
    problem,
  )
  let items: Item[] = []

  function addItem(value?: unknown): Field | undefined {
    const indexOfItem = (): number => items.findIndex((item) => item.field === field)
    const field: Field = options.create({
      name,
      bare: true,
      required: false,
      shape: itemShape,
      suggest: options.suggest,
      create: options.create,
      path: () => `${path()}[${indexOfItem()}]`,
    })
    const remove = h(
      'button',
      { type: 'button', class: 'button icon-button quiet small', on: { click: () => removeItem(field) } },
      icon('cross'),
    )
    const element = h('div', { class: 'item' }, h('div', { class: 'item-head', 'aria-hidden': 'true' }), field.element, remove)
    items.push({ field, element })
    holder.append(element)
    if (value !== undefined) field.fill(value)
    number()
    return field
  }

  function removeItem(field: Field): void {
    const at = items.findIndex((item) => item.field === field)
    items[at]?.element.remove()
    items = items.filter((item) => item.field !== field)
    number()
    const next = items[Math.min(at, items.length - 1)]
    if (next) next.field.focus()
    else add.focus()
  }

  function number(): void {
    items.forEach(({ element }, index) => {
      const head = element.firstElementChild
      if (head) head.textContent = simple || items.length === 1 ? '' : `${name}[${index}]`
      const remove = element.querySelector(':scope > button')
      const words = `Remove ${name} ${index + 1}`
      remove?.setAttribute('aria-label', words)
      remove?.setAttribute('title', words)
      if (simple) element.querySelector('input')?.setAttribute('aria-label', `${name} ${index + 1}`)
      if (remove instanceof HTMLElement) remove.hidden = required && items.length === 1
    })
  }

  function fill(value: unknown): void {
    holder.replaceChildren()
    items = []
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
    for (const one of values) addItem(one)
    if (values.length === 0 && (required || simple)) addItem()
  }

  function read(): unknown {
    const values = items.map(({ field }) => field.read() ?? (simple ? undefined : {})).filter((value) => value !== undefined)
    if (single && values.length === 1) return values[0]
    return values.length ? values : undefined
  }

  fill(undefined)
  return {
    element,
    property: options,
    path,
    read,
    fill,
    report(messages) {
      problem.textContent = messages.join(' ')
      problem.hidden = messages.length === 0
      element.classList.toggle('is-wrong', messages.length > 0)
    },
    problem: () => undefined,
    fields: () => items.map((item) => item.field),
    focus: () => (items[0] ? items[0].field.focus() : add.focus()),
  }
}
