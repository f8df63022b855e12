import type { JsonSchema } from '../../types/tool.js'

/** The schema of an object. It allows further fields, so that later versions can add some. `optional`: fields that may be absent. */
export function shape(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) }
}

export const described = (type: string | readonly string[], description: string | undefined): JsonSchema => ({
  type,
  ...(description !== undefined && { description }),
})

export const text = (description?: string): JsonSchema => described('string', description)
export const textOrNull = (description?: string): JsonSchema => described(['string', 'null'], description)
export const yes = (description?: string): JsonSchema => described('boolean', description)
/** An integer. */
export const whole = (description?: string): JsonSchema => described('integer', description)
/** An integer from 0. */
export const count = (description?: string): JsonSchema => ({ ...whole(description), minimum: 0 })
/** An integer from 1. */
export const ordinal = (description?: string): JsonSchema => ({ ...whole(description), minimum: 1 })
export const list = (items: JsonSchema, description?: string): JsonSchema => ({ ...described('array', description), items })
export const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values })

export const path = (): JsonSchema => text('Absolute, in the workspace.')
