import { h } from '../dom.js'
import { formatCount } from '../format.js'
import { type Field, type FieldOptions, fieldFrame, showDefault } from './field.js'
import { askFor } from './words.js'

export function numberField(options: FieldOptions): Field {
  const { shape, path } = options
  const { min, max, integer } = shape.kind === 'number' ? shape : { min: undefined, max: undefined, integer: false }
  const control = h('input', {
    type: 'number',
    class: 'input',
    min,
    max,
    step: integer ? 1 : 'any',
    placeholder: 'default' in shape ? showDefault(shape.default) : undefined,
  })
  const { element, report } = fieldFrame(options, control, range(min, max))
  return {
    element,
    property: options,
    path,
    report,
    read: () => (control.value === '' ? undefined : Number(control.value)),
    fill(value) {
      control.value = value === undefined ? '' : String(value)
    },
    problem: () => (control.validity.badInput ? askFor(options) : undefined),
    fields: () => [],
    focus: () => control.focus(),
  }
}

function range(min: number | undefined, max: number | undefined): string | undefined {
  if (min !== undefined && max !== undefined) return `${formatCount(min)} to ${formatCount(max)}.`
  if (max !== undefined) return `At most ${formatCount(max)}.`
  return undefined // A lower bound of 0 or 1 needs no hint.
}

export function booleanField(options: FieldOptions): Field {
  const { shape, required, path } = options
  const normally = shape.default === true
  const control = h('input', { type: 'checkbox', class: 'check' })
  const { element, report } = fieldFrame(options, control, normally ? 'On by default.' : undefined)
  control.checked = normally
  return {
    element,
    property: options,
    path,
    report,
    read: () => (required || control.checked !== normally ? control.checked : undefined),
    fill(value) {
      control.checked = typeof value === 'boolean' ? value : normally
    },
    problem: () => undefined,
    fields: () => [],
    focus: () => control.focus(),
  }
}

export function choiceField(options: FieldOptions): Field {
  const { shape, required, path } = options
  const values = shape.kind === 'choice' ? shape.options : []
  const none = 'default' in shape ? `${showDefault(shape.default)} (default)` : required ? 'Choose' : 'Not set'
  const control = h(
    'select',
    { class: 'input' },
    h('option', { value: '' }, none),
    ...values.map((value, index) => (value === shape.default ? null : h('option', { value: index }, String(value)))),
  )
  const { element, report } = fieldFrame(options, control)
  return {
    element,
    property: options,
    path,
    report,
    read: () => (control.value === '' ? undefined : values[Number(control.value)]),
    fill(value) {
      const index = values.indexOf(value as string | number)
      control.value = index < 0 || value === shape.default ? '' : String(index)
    },
    problem: () => undefined,
    fields: () => [],
    focus: () => control.focus(),
  }
}

/** Fallback for shapes without a field of their own: edits the value as JSON. */
export function jsonField(options: FieldOptions): Field {
  const { path } = options
  const control = h('textarea', { class: 'input', rows: 3, spellcheck: 'false' })
  const { element, report } = fieldFrame(options, control, 'As JSON.')
  return {
    element,
    property: options,
    path,
    report,
    read: () => (control.value.trim() === '' ? undefined : parse(control.value)?.value),
    fill(value) {
      control.value = value === undefined ? '' : JSON.stringify(value, null, 2)
    },
    problem: () =>
      control.value.trim() === '' || parse(control.value) ? undefined : `Write ${options.name} as JSON, such as {"key": "value"}.`,
    fields: () => [],
    focus: () => control.focus(),
  }
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined // `problem` reports the error.
  }
}
