import type { JsonSchema } from 'toolport'

/** The keywords that OpenAI's guide to structured outputs lists ("supported schemas", October 2025). */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  any: ['type', 'description', 'title', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  string: ['pattern', 'format'],
  number: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
}
const TYPES = ['string', 'number', 'boolean', 'integer', 'object', 'array', 'null']
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
const MOST_LEVELS = 10
const MOST_PROPERTIES = 5000
const MOST_ENUM_VALUES = 1000
const MOST_NAMES = 120_000

/** The reasons why OpenAI's strict mode would reject a schema. Implements the rules independently of the renderer. */
export function strictProblems(root: JsonSchema): string[] {
  const problems: string[] = []
  let [properties, values, characters] = [0, 0, 0]
  const visit = (schema: JsonSchema, at: string, level: number): void => {
    if (level > MOST_LEVELS) problems.push(`${at}: more than ${MOST_LEVELS} levels`)
    const types = [schema.type ?? []].flat() as string[]
    for (const type of types) if (!TYPES.includes(type)) problems.push(`${at}: type ${type}`)
    const allowed = [KEYWORDS.any, ...types.map((type) => KEYWORDS[type])].flatMap((list) => list ?? [])
    for (const keyword of Object.keys(schema)) if (!allowed.includes(keyword)) problems.push(`${at}: ${keyword}`)
    if (schema.format !== undefined && !FORMATS.includes(String(schema.format))) problems.push(`${at}: format ${schema.format}`)
    if (types.length === 0 && !schema.anyOf && !schema.$ref && !schema.enum && !('const' in schema)) problems.push(`${at}: any value`)
    if (Array.isArray(schema.enum)) {
      values += schema.enum.length
      characters += schema.enum.reduce((length: number, value) => length + String(value).length, 0)
    }
    if (types.includes('object')) {
      const own = (schema.properties ?? {}) as Record<string, JsonSchema>
      const names = Object.keys(own)
      properties += names.length
      characters += names.join('').length
      if (schema.additionalProperties !== false) problems.push(`${at}: an open object`)
      const required = (schema.required ?? []) as string[]
      for (const name of names) if (!required.includes(name)) problems.push(`${at}.${name}: not required`)
      for (const name of required) if (!names.includes(name)) problems.push(`${at}.${name}: required, and not there`)
      for (const name of names) visit(own[name] as JsonSchema, `${at}.${name}`, level + 1)
    }
    if (types.includes('array')) {
      if (typeof schema.items !== 'object' || schema.items === null) problems.push(`${at}: items of any type`)
      else visit(schema.items as JsonSchema, `${at}[]`, level + 1)
    }
    for (const [index, branch] of ((schema.anyOf ?? []) as JsonSchema[]).entries()) visit(branch, `${at}|${index}`, level + 1)
    for (const [name, part] of Object.entries((schema.$defs ?? {}) as Record<string, JsonSchema>)) visit(part, `#${name}`, 1)
  }
  if (root.type !== 'object' || root.anyOf !== undefined) problems.push('the root is not an object')
  visit(root, '', 1)
  if (properties > MOST_PROPERTIES) problems.push(`${properties} properties`)
  if (values > MOST_ENUM_VALUES) problems.push(`${values} values of enums`)
  if (characters > MOST_NAMES) problems.push(`${characters} characters of names and values`)
  return problems
}
