import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { branchesOf, propertiesOf, resolved, type Schema, typesOf } from './schema-walk.js'

/** Maximum depth of an input. Real inputs are far less deep. */
export const DEEPEST = 100

/** The strict form of a value of any type. */
const ANY_FORM: JsonSchema = { type: 'string' }

/** The strict forms of a schema and its parts. */
export class Forms {
  readonly root: JsonSchema
  readonly #strict: JsonSchema
  readonly #rendered: ReadonlyMap<Schema, JsonSchema>
  readonly #overlaps = new Map<Schema, Map<Schema, boolean>>()

  constructor(root: JsonSchema, strict: JsonSchema, rendered: ReadonlyMap<Schema, JsonSchema>) {
    this.root = root
    this.#strict = strict
    this.#rendered = rendered
  }

  of(schema: Schema): JsonSchema {
    return this.#rendered.get(schema) ?? ANY_FORM
  }

  resolved(form: Schema): Schema {
    return resolved(form, this.#strict)
  }

  /** Whether an answer may fit both forms, judged by types, constants and property names. */
  overlap(a: Schema, b: Schema): boolean {
    const [one, other] = [this.resolved(a), this.resolved(b)]
    const known = this.#overlaps.get(one) ?? new Map<Schema, boolean>()
    this.#overlaps.set(one, known)
    const found = known.get(other)
    if (found !== undefined) return found
    // Assume an overlap while the pair is being compared, so that recursive forms end.
    known.set(other, true)
    const result = this.#overlap(one, other)
    known.set(other, result)
    return result
  }

  #overlap(a: Schema, b: Schema): boolean {
    if (branchesOf(a).length > 0) return branchesOf(a).some((branch) => this.overlap(branch, b))
    if (branchesOf(b).length > 0) return branchesOf(b).some((branch) => this.overlap(a, branch))
    const [some, others] = [valuesOf(a), valuesOf(b)]
    if (some) return some.some((value) => new Matcher(this, false).matches(value, b))
    if (others) return others.some((value) => new Matcher(this, false).matches(value, a))
    return typesOf(a).some((type) => typesOf(b).some((other) => isShared(type, other) && (type !== 'object' || this.#objectsOverlap(a, b))))
  }

  #objectsOverlap(a: Schema, b: Schema): boolean {
    const [some, others] = [propertiesOf(a), propertiesOf(b)]
    const names = Object.keys(some)
    if (names.length !== Object.keys(others).length) return false
    return names.every((name) => Object.hasOwn(others, name) && this.overlap(some[name] as Schema, others[name] as Schema))
  }
}

const valuesOf = (form: Schema): readonly unknown[] | undefined =>
  Array.isArray(form.enum) ? form.enum : 'const' in form ? [form.const] : undefined

const NUMBERS: readonly unknown[] = ['number', 'integer']

const isShared = (a: unknown, b: unknown): boolean => a === b || (NUMBERS.includes(a) && NUMBERS.includes(b))

/**
 * Checks whether values fit strict forms, judged by types, constants and property names. Create one matcher per answer, because a matcher
 * caches its results by object.
 */
export class Matcher {
  readonly #forms: Forms
  readonly #partial: boolean
  readonly #seen = new WeakMap<object, Map<Schema, boolean>>()

  /** `partial`: accepts objects that omit properties instead of setting them to null. */
  constructor(forms: Forms, partial: boolean) {
    this.#forms = forms
    this.#partial = partial
  }

  matches(value: unknown, form: Schema, left: number = DEEPEST): boolean {
    if (left === 0) return true
    const target = this.#forms.resolved(form)
    if (typeof value !== 'object' || value === null) return this.#look(value, target, left)
    const known = this.#seen.get(value) ?? new Map<Schema, boolean>()
    this.#seen.set(value, known)
    const result = known.get(target) ?? this.#look(value, target, left)
    known.set(target, result)
    return result
  }

  #look(value: unknown, form: Schema, left: number): boolean {
    if (branchesOf(form).length > 0) return branchesOf(form).some((branch) => this.matches(value, branch, left - 1))
    const values = valuesOf(form)
    if (values) return values.some((one) => JSON.stringify(one) === JSON.stringify(value))
    const types = typesOf(form)
    if (Array.isArray(value))
      return types.includes('array') && value.every((item) => this.matches(item, isRecord(form.items) ? form.items : ANY_FORM, left - 1))
    if (isRecord(value)) return types.includes('object') && this.#isObject(value, propertiesOf(form), left)
    return types.includes(value === null ? 'null' : typeof value) || (Number.isInteger(value) && types.includes('integer'))
  }

  #isObject(value: Readonly<Record<string, unknown>>, properties: Readonly<Record<string, Schema>>, left: number): boolean {
    const given = Object.keys(value)
    if (!given.every((name) => Object.hasOwn(properties, name))) return false
    if (!this.#partial && given.length !== Object.keys(properties).length) return false
    return given.every((name) => this.matches(value[name], properties[name] as Schema, left - 1))
  }
}
