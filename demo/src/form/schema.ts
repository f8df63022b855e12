/** What a form needs to know about a part of a JSON Schema. */
export type Shape = ShapeKind & { readonly description?: string; readonly default?: unknown }

type ShapeKind =
  | { readonly kind: 'string'; readonly multiline: boolean }
  | { readonly kind: 'number'; readonly integer: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly (string | number)[] }
  /** `single`: a single string is accepted instead of a list. */
  | { readonly kind: 'strings'; readonly single: boolean }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'object'; readonly properties: readonly Property[] }
  /** Everything else is edited as JSON. */
  | { readonly kind: 'json' }

export interface Property {
  readonly name: string
  readonly required: boolean
  readonly shape: Shape
}

type Schema = Readonly<Record<string, unknown>>

const MULTILINE = /^(command|content|text|code|handler_code|stdin|patch|prompt|body|input|old_string|new_string|old_str|new_str)$/

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const schemas = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : [])

/** The shape of a schema. `root` resolves local references; `name` is the name of the property. */
export function shapeOf(schema: unknown, root: unknown = schema, name = '', depth = 0): Shape {
  const found = resolve(schema, root)
  // A recursive schema has no finite form.
  const kind: ShapeKind = found && depth < 8 ? kindOf(found, root, name, depth) : { kind: 'json' }
  const description = isSchema(schema) && typeof schema.description === 'string' ? schema.description : found?.description
  return {
    ...kind,
    ...(typeof description === 'string' && { description }),
    ...(found && 'default' in found && { default: found.default }),
  }
}

function resolve(schema: unknown, root: unknown, hops = 0): Schema | undefined {
  if (!isSchema(schema) || hops > 8) return undefined
  if (typeof schema.$ref !== 'string') return schema
  if (!schema.$ref.startsWith('#/')) return undefined
  let target: unknown = root
  for (const part of schema.$ref.slice(2).split('/'))
    target = isSchema(target) ? target[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  return resolve(target, root, hops + 1)
}

function kindOf(schema: Schema, root: unknown, name: string, depth: number): ShapeKind {
  const choices = optionsOf(schema)
  if (choices) return { kind: 'choice', options: choices }
  const union = [...schemas(schema.anyOf), ...schemas(schema.oneOf)]
    .map((one) => resolve(one, root) ?? {})
    .filter((one) => one.type !== 'null')
  if (union.length > 0) return unionOf(union, root, name, depth)
  switch (schema.type) {
    case 'string':
      return { kind: 'string', multiline: MULTILINE.test(name) }
    case 'integer':
    case 'number':
      return { kind: 'number', integer: schema.type === 'integer', ...bounds(schema) }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array': {
      const item = shapeOf(schema.items, root, name, depth + 1)
      return item.kind === 'string' ? { kind: 'strings', single: false } : { kind: 'list', item }
    }
    case 'object':
      return isSchema(schema.properties)
        ? { kind: 'object', properties: propertiesOf(schema, schema.properties, root, depth) }
        : { kind: 'json' }
  }
  return { kind: 'json' }
}

function optionsOf(schema: Schema): (string | number)[] | undefined {
  const scalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  if (values) return values.every(scalar) ? values : undefined
  const union = [...schemas(schema.anyOf), ...schemas(schema.oneOf)]
  const constants = union.map((one) => one.const)
  return union.length > 0 && constants.every(scalar) ? constants : undefined
}

function unionOf(union: readonly Schema[], root: unknown, name: string, depth: number): ShapeKind {
  const shapes = union.map((one) => shapeOf(one, root, name, depth + 1))
  const [first] = shapes
  if (shapes.length === 1 && first) return first
  if (shapes.length === 2 && shapes.some((one) => one.kind === 'string') && shapes.some((one) => one.kind === 'strings'))
    return { kind: 'strings', single: true }
  return { kind: 'json' }
}

function bounds({ minimum, maximum }: Schema): { min?: number; max?: number } {
  // Limits at the safe integers mean "any number" and do not help the user.
  const useful = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return { ...(useful(minimum) && { min: minimum }), ...(useful(maximum) && { max: maximum }) }
}

function propertiesOf(schema: Schema, properties: Schema, root: unknown, depth: number): Property[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, value]) => ({
    name,
    required: required.includes(name),
    shape: shapeOf(value, root, name, depth + 1),
  }))
}
