import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { acceptsNull, branchesOf, isObjectSchema, propertiesOf, requiredOf, resolved, type Schema } from './schema-walk.js'

/** Whether the schema accepts any value, or any object. */
export const isAny = (schema: Schema): boolean =>
  schema.$ref === undefined &&
  schema.enum === undefined &&
  !('const' in schema) &&
  branchesOf(schema).length === 0 &&
  (schema.type === undefined || (schema.type === 'object' && !isRecord(schema.properties) && isOpen(schema)))

const isOpen = ({ additionalProperties: more, patternProperties }: Schema): boolean =>
  !isRecord(patternProperties) && (more === undefined || more === true || (isRecord(more) && Object.keys(more).length === 0))

/** Whether the schema is an object with arbitrary names and values of one schema. */
export const isMap = (schema: Schema): boolean =>
  isObjectSchema(schema) && Object.keys(propertiesOf(schema)).length === 0 && isRecord(schema.additionalProperties)

/** Whether null is a valid value. Excludes values of any type, where null is sent as JSON text. */
export const takesNull = (property: Schema, root: JsonSchema): boolean => !isAny(resolved(property, root)) && acceptsNull(property, root)

/** Whether null means that the property is omitted. */
export const isDropped = (name: string, property: Schema, owner: Schema, root: JsonSchema): boolean =>
  !requiredOf(owner).includes(name) && !takesNull(property, root)
