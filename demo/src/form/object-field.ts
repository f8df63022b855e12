import { h, uniqueId } from '../dom.js'
import { type Field, type FieldOptions, requiredMark } from './field.js'
import type { Property } from './schema.js'

/** A nested object. Omitted unless one of its fields is set. */
export function objectField(options: FieldOptions): Field {
  const { name, required, shape, path, bare } = options
  const properties = shape.kind === 'object' ? shape.properties : []
  const inner = properties.map((property) =>
    options.create({ ...property, suggest: options.suggest, create: options.create, path: () => join(path(), property.name) }),
  )
  const problem = h('p', { class: 'field-problem', hidden: true })
  const label = h('div', { class: 'group-label', id: uniqueId('group') }, h('code', {}, name))
  const element = h(
    'div',
    {
      class: bare ? 'group-body' : 'field group',
      role: 'group',
      ...(bare ? { 'aria-label': `One of ${name}` } : { 'aria-labelledby': label.id }),
    },
    bare
      ? null
      : h(
          'div',
          { class: 'field-head' },
          label,
          required && requiredMark(),
          shape.description ? h('p', { class: 'field-help' }, shape.description) : null,
        ),
    ...inner.map((field) => field.element),
    problem,
  )
  return {
    element,
    property: options,
    path,
    read: () => readObject(properties, inner, required),
    fill(value) {
      const record = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
      properties.forEach((property, index) => {
        inner[index]?.fill(record[property.name])
      })
    },
    report(messages) {
      problem.textContent = messages.join(' ')
      problem.hidden = messages.length === 0
    },
    problem: () => undefined,
    fields: () => inner,
    focus: () => inner[0]?.focus(),
  }
}

/** The set values. Undefined if none is set and the object may be omitted. */
export function readObject(
  properties: readonly Property[],
  fields: readonly Field[],
  always: boolean,
): Record<string, unknown> | undefined {
  const entries = properties.flatMap(({ name }, index) => {
    const value = fields[index]?.read()
    return value === undefined ? [] : [[name, value] as const]
  })
  return entries.length || always ? Object.fromEntries(entries) : undefined
}

/** Joins `edits[0]` and `old_string` to `edits[0].old_string`. */
function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name
}
