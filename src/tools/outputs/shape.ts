import type { JsonSchema } from '../../types/tool.js'

/** An object, open to fields that come later. `optional`: those that may be absent. */
export function shape(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) }
}

const described = (type: string | readonly string[], description: string | undefined): JsonSchema => ({
  type,
  ...(description !== undefined && { description }),
})

export const text = (description?: string): JsonSchema => described('string', description)
export const textOrNull = (description?: string): JsonSchema => described(['string', 'null'], description)
export const yes = (description?: string): JsonSchema => described('boolean', description)
/** A whole number. */
export const whole = (description?: string): JsonSchema => described('integer', description)
/** A whole number from 0 up. */
export const count = (description?: string): JsonSchema => ({ ...whole(description), minimum: 0 })
/** A whole number from 1 up. */
export const ordinal = (description?: string): JsonSchema => ({ ...whole(description), minimum: 1 })
export const list = (items: JsonSchema, description?: string): JsonSchema => ({ ...described('array', description), items })
export const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values })

export const kind = (): JsonSchema => oneOf('file', 'dir', 'symlink')
export const path = (): JsonSchema => text('Absolute, in the workspace.')
export const diff = (): JsonSchema => text('Unified; of text files only, and cut at 32 KiB.')

/** Of an answer that may be one of several: whether there is more, and how to go on. */
export const paged = (): Readonly<Record<string, JsonSchema>> => ({
  truncated: yes('Whether there is more.'),
  next: text('The cursor of the next call, where there is more.'),
})
