import type { JsonSchema } from 'toolport'
import { record } from './from-schema.js'

/** The keywords that the Gemini API reference lists for `parametersJsonSchema`, without references, which we never render. */
const KEYWORDS =
  'type title description format enum minItems maxItems minimum maximum anyOf items properties required additionalProperties'.split(' ')

/** The reasons why Gemini would reject a schema. Implements the rules independently of the renderer. */
export function geminiProblems(root: JsonSchema): string[] {
  const problems: string[] = []
  const visit = (schema: JsonSchema, at: string): void => {
    for (const keyword of Object.keys(schema)) if (!KEYWORDS.includes(keyword)) problems.push(`${at}: ${keyword}`)
    const properties = record(schema.properties)
    for (const name of (schema.required ?? []) as string[])
      if (!Object.hasOwn(properties, name)) problems.push(`${at}.${name}: required, and not there`)
    for (const value of (schema.enum ?? []) as unknown[]) if (typeof value !== 'string') problems.push(`${at}: ${value} in an enum`)
    if ([schema.type].flat().includes('array') && schema.items === undefined) problems.push(`${at}: no items`)
    for (const [name, property] of Object.entries(properties)) visit(property as JsonSchema, `${at}.${name}`)
    for (const [index, branch] of ((schema.anyOf ?? []) as JsonSchema[]).entries()) visit(branch, `${at}|${index}`)
    if (schema.items !== undefined) visit(schema.items as JsonSchema, `${at}[]`)
  }
  visit(root, '')
  return problems
}
