import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { asSchema, branchesOf, isObjectSchema, propertiesOf, requiredOf, resolved, type Schema, typesOf } from './schema-walk.js'
import { DEEPEST, type Forms, Matcher } from './strict-forms.js'
import { isAny, isDropped, isMap } from './strict-kinds.js'

/** Creates `StrictSchema.restore`. */
export function createRestore(forms: Forms): (input: unknown) => unknown {
  return (input) => new Restore(forms).restored(input, forms.root, DEEPEST)
}

/** Restores one answer. */
class Restore {
  readonly #forms: Forms
  readonly #exact: Matcher
  readonly #partial: Matcher

  constructor(forms: Forms) {
    this.#forms = forms
    this.#exact = new Matcher(forms, false)
    this.#partial = new Matcher(forms, true)
  }

  restored(value: unknown, schema: Schema, left: number): unknown {
    if (left === 0) return value
    const target = resolved(schema, this.#forms.root)
    if (branchesOf(target).length > 0) {
      const branch = this.#branch(value, target, left)
      return branch ? this.restored(value, branch, left - 1) : value
    }
    if (isAny(target)) return parsed(value)
    if (isMap(target)) return this.#fromPairs(value, asSchema(target.additionalProperties) ?? {}, left)
    if (Array.isArray(value)) {
      if (!typesOf(target).includes('array')) return value
      const items = asSchema(target.items) ?? {}
      return value.map((item) => this.restored(item, items, left - 1))
    }
    return isRecord(value) && isObjectSchema(target) ? this.#object(value, target, left) : value
  }

  /** Returns the branch that the value fits. If the value fits no branch, returns the branch that it was probably meant for. */
  #branch(value: unknown, union: Schema, left: number): Schema | undefined {
    const { root } = this.#forms
    const branches = branchesOf(union)
    return (
      branches.find((branch) => this.#exact.matches(value, this.#forms.of(branch), left)) ??
      branches.find((branch) => this.#partial.matches(value, this.#forms.of(branch), left)) ??
      branches.find((branch) => fits(value, resolved(branch, root), root, left))
    )
  }

  #object(value: Readonly<Record<string, unknown>>, schema: Schema, left: number): Record<string, unknown> {
    const properties = propertiesOf(schema)
    const result: Record<string, unknown> = {}
    for (const [name, item] of Object.entries(value)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (item === null && property && isDropped(name, property, schema, this.#forms.root)) continue
      put(result, name, property ? this.restored(item, property, left - 1) : item)
    }
    return result
  }

  #fromPairs(value: unknown, schema: Schema, left: number): unknown {
    if (!Array.isArray(value) || !value.every(isPair)) return value
    const result: Record<string, unknown> = {}
    for (const { name, value: item } of value) put(result, name, this.restored(item, schema, left - 1))
    return result
  }
}

const isPair = (item: unknown): item is { readonly name: string; readonly value: unknown } =>
  isRecord(item) && typeof item.name === 'string' && 'value' in item

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    // The text is not JSON: keep it.
    return value
  }
}

/** Sets a field. A plain assignment would treat `__proto__` specially. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Whether a value that is valid for no branch may be meant for this branch, judged by constants, property names and types. */
function fits(value: unknown, schema: Schema, root: JsonSchema, left: number): boolean {
  if (left === 0) return false
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if ('const' in schema) return schema.const === value
  if (branchesOf(schema).length > 0) return branchesOf(schema).some((branch) => fits(value, resolved(branch, root), root, left - 1))
  if (isRecord(value)) return isObjectSchema(schema) && fitsObject(value, schema, root, left)
  if (Array.isArray(value)) return typesOf(schema).includes('array') || isMap(schema)
  const type = value === null ? 'null' : typeof value
  const types = typesOf(schema)
  return types.includes(type) || (Number.isInteger(value) && types.includes('integer'))
}

function fitsObject(value: Readonly<Record<string, unknown>>, schema: Schema, root: JsonSchema, left: number): boolean {
  const properties = propertiesOf(schema)
  const required = requiredOf(schema)
  if (schema.additionalProperties === false && Object.keys(value).some((name) => !Object.hasOwn(properties, name))) return false
  return required.every((name) => {
    const property = resolved(properties[name] ?? {}, root)
    const isFixed = Array.isArray(property.enum) || 'const' in property
    return Object.hasOwn(value, name) && (!isFixed || fits(value[name], property, root, left - 1))
  })
}
