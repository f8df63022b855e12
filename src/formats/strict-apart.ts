import { asSchema, branchesOf, isObjectSchema, propertiesOf, resolved, type Schema, typesOf } from './schema-walk.js'
import { type Forms, Matcher } from './strict-forms.js'
import { isAny, isDropped, isMap } from './strict-kinds.js'

type Seen = Map<Schema, Set<Schema>>

/** Whether every answer that these branches allow means one thing: those that two of them allow are restored the same by both. */
export function areApart(branches: readonly Schema[], forms: Forms): boolean {
  const seen: Seen = new Map()
  return branches.every((one, at) => branches.slice(at + 1).every((other) => !clash(one, other, forms, seen)))
}

/** Whether some answer may be as both say, and is restored in two ways. */
function clash(a: Schema, b: Schema, forms: Forms, seen: Seen): boolean {
  const [one, other] = [resolved(a, forms.root), resolved(b, forms.root)]
  if (one === other || wasSeen(one, other, seen) || !forms.overlap(forms.of(one), forms.of(other))) return false
  const [some, others] = [branchesOf(one), branchesOf(other)]
  if (some.length > 0) return some.some((branch) => clash(branch, other, forms, seen))
  if (others.length > 0) return others.some((branch) => clash(one, branch, forms, seen))
  if (isAny(one) || isAny(other)) return !(isAny(one) && isAny(other))
  if (isMap(one) || isMap(other)) return !(isMap(one) && isMap(other)) || clash(itemIn(one), itemIn(other), forms, seen)
  if (isObjectSchema(one) && isObjectSchema(other)) return objectsClash(one, other, forms, seen)
  return areArrays(one, other) && clash(asSchema(one.items) ?? {}, asSchema(other.items) ?? {}, forms, seen)
}

/** Of a pair that is being looked at nothing new is found within itself. */
function wasSeen(one: Schema, other: Schema, seen: Seen): boolean {
  const others = seen.get(one) ?? new Set()
  seen.set(one, others)
  if (others.has(other)) return true
  others.add(other)
  return false
}

const itemIn = (map: Schema): Schema => asSchema(map.additionalProperties) ?? {}

const areArrays = (...schemas: readonly Schema[]): boolean => schemas.every((schema) => typesOf(schema).includes('array'))

function objectsClash(one: Schema, other: Schema, forms: Forms, seen: Seen): boolean {
  const others = propertiesOf(other)
  return Object.entries(propertiesOf(one)).some(([name, property]) => {
    const same = others[name] as Schema
    const isDroppedByOne = isDropped(name, property, one, forms.root) !== isDropped(name, same, other, forms.root)
    const takeNull = [one, other].every((schema) => new Matcher(forms, false).matches(null, formOf(schema, name, forms)))
    return (isDroppedByOne && takeNull) || clash(property, same, forms, seen)
  })
}

/** Of a property as it stands in its object: with the null that was put in. */
const formOf = (schema: Schema, name: string, forms: Forms): Schema => propertiesOf(forms.of(schema))[name] ?? {}
