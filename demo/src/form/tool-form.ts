import { h } from '../dom.js'
import type { Field, FieldOptions } from './field.js'
import { listField } from './list-field.js'
import { objectField, readObject } from './object-field.js'
import { booleanField, choiceField, jsonField, numberField } from './scalar-fields.js'
import { shapeOf } from './schema.js'
import { textField } from './text-field.js'
import { saidAt, saidOfPath } from './words.js'

interface Issue {
  readonly path: string
  readonly message: string
}

export interface ToolForm {
  readonly element: HTMLElement
  read(): Record<string, unknown>
  fill(input: unknown): void
  /** Unfolds and scrolls to the filled fields. */
  showFilled(): void
  /** Shows issues at their fields and focuses the first. Returns the messages of issues that belong to no field. */
  showIssues(issues: readonly Issue[]): readonly string[]
  /** Errors that prevent sending: invalid number or invalid JSON. */
  problems(): readonly Issue[]
}

/** A form for one tool, generated from its JSON Schema. Optional fields are folded away until used. */
export function createToolForm(schema: unknown, suggest: FieldOptions['suggest']): ToolForm {
  const shape = shapeOf(schema)
  const properties = shape.kind === 'object' ? shape.properties : []
  const fields = properties.map((property) => createField({ ...property, suggest, create: createField, path: () => property.name }))
  const optional = fields.filter((_, index) => !properties[index]?.required)
  const options = h('details', { class: 'options' })
  const element = h('div', { class: 'tool-form' }, ...fields.filter((field) => !optional.includes(field)).map((field) => field.element))
  if (optional.length) {
    const names = properties.filter((property) => !property.required).map((property) => property.name)
    options.append(
      h('summary', {}, h('span', { class: 'options-title' }, 'Options'), h('span', { class: 'options-names' }, names.join(', '))),
      h('div', { class: 'options-body' }, ...optional.map((field) => field.element)),
    )
    options.open = optional.length === fields.length
    element.append(options)
  }
  if (fields.length === 0) element.append(h('p', { class: 'note' }, 'This tool takes no input.'))

  const all = (list: readonly Field[] = fields): Field[] => list.flatMap((field) => [field, ...all(field.fields())])

  function showIssues(issues: readonly Issue[]): readonly string[] {
    const targets = all()
    const found = new Map<Field, string[]>()
    const rest: string[] = []
    for (const { path, message } of issues) {
      const field = closest(targets, path)
      if (!field) rest.push(saidOfPath(path, message))
      else {
        const said = field.path() === path ? saidAt(field.property, message) : saidOfPath(path, message)
        found.set(field, [...(found.get(field) ?? []), said])
      }
    }
    for (const field of targets) field.report(found.get(field) ?? [])
    if (optional.some((field) => all([field]).some((one) => found.has(one)))) options.open = true
    const first = targets.find((field) => found.has(field))
    first?.focus()
    first?.element.scrollIntoView({ block: 'nearest' })
    return rest
  }

  return {
    element,
    read: () => readObject(properties, fields, true) ?? {},
    fill(input) {
      const record = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
      properties.forEach(({ name }, index) => {
        fields[index]?.fill(record[name])
      })
      if (optional.some((field) => field.read() !== undefined)) options.open = true
    },
    showFilled: () => fields.find((field) => field.read() !== undefined)?.element.scrollIntoView({ block: 'nearest' }),
    showIssues,
    problems: () => all().flatMap((field) => (field.problem() ? [{ path: field.path(), message: field.problem() ?? '' }] : [])),
  }
}

/** The field with this path, or else its nearest ancestor. */
function closest(fields: readonly Field[], path: string): Field | undefined {
  for (let end = path.length; end > 0; end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))) {
    const part = path.slice(0, end)
    const field = fields.find((one) => one.path() === part)
    if (field) return field
  }
  return undefined
}

const BY_KIND = {
  string: textField,
  number: numberField,
  boolean: booleanField,
  choice: choiceField,
  strings: listField,
  list: listField,
  object: objectField,
  json: jsonField,
} as const

/** Creates the field for a shape. */
function createField(options: FieldOptions): Field {
  return BY_KIND[options.shape.kind](options)
}
