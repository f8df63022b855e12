import type { Field, FieldOptions } from './field.js'
import { listField } from './list-field.js'
import { objectField } from './object-field.js'
import { booleanField, choiceField, jsonField, numberField } from './scalar-fields.js'
import { textField } from './text-field.js'

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
export function createField(options: FieldOptions): Field {
  return BY_KIND[options.shape.kind](options)
}
