import { isRecord } from '../ops/is-record.js'
import type { JsonSchema } from '../types/tool.js'
import { acceptsNull, branchesOf, isObjectSchema, propertiesOf, requiredOf, resolved, type Schema } from './schema-walk.js'

/** Nothing is said of it but, perhaps, that it is an object. */
export const isAny = (schema: Schema): boolean =>
  schema.$ref === undefined &&
  schema.enum === undefined &&
  !('const' in schema) &&
  branchesOf(schema).length === 0 &&
  (schema.type === undefined || (schema.type === 'object' && !isRecord(schema.properties) && isOpen(schema)))

const isOpen = ({ additionalProperties: more, patternProperties }: Schema): boolean =>
  !isRecord(patternProperties) && (more === undefined || more === true || (isRecord(more) && Object.keys(more).length === 0))

/** Its names are not known, its values are of one kind. */
export const isMap = (schema: Schema): boolean =>
  isObjectSchema(schema) && Object.keys(propertiesOf(schema)).length === 0 && isRecord(schema.additionalProperties)

/** Null as JSON text is another thing. */
export const takesNull = (property: Schema, root: JsonSchema): boolean => !isAny(resolved(property, root)) && acceptsNull(property, root)

/** Whether null stands for this property being left out. */
export const isDropped = (name: string, property: Schema, owner: Schema, root: JsonSchema): boolean =>
  !requiredOf(owner).includes(name) && !takesNull(property, root)
