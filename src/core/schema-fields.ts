import type { JsonSchema } from '../types/tool.js'

/** Returns the field names that a JSON Schema declares at a path; empty if it declares none. */
export function fieldsAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  const names = new Set<string>()
  for (const node of nodesAt(schema, path)) for (const name of Object.keys(record(node.properties) ?? {})) names.add(name)
  return [...names]
}

/** Returns all subschemas that apply at a path, through `$ref`, `anyOf`, `oneOf` and `allOf`. */
function nodesAt(root: JsonSchema, path: readonly PropertyKey[]): readonly JsonSchema[] {
  let nodes = alternatives(root, [root])
  for (const segment of path)
    nodes = alternatives(
      root,
      nodes.flatMap((node) => child(node, segment)),
    )
  return nodes
}

function child(node: JsonSchema, segment: PropertyKey): JsonSchema[] {
  if (typeof segment === 'number') {
    const positional = Array.isArray(node.prefixItems) ? record(node.prefixItems[segment]) : undefined
    return defined(positional ?? record(node.items))
  }
  const properties = record(node.properties)
  const named = properties && Object.hasOwn(properties, segment) ? record(properties[String(segment)]) : undefined
  return defined(named ?? record(node.additionalProperties))
}

function alternatives(root: JsonSchema, nodes: readonly JsonSchema[]): readonly JsonSchema[] {
  const found = new Set<JsonSchema>()
  const visit = (node: JsonSchema | undefined): void => {
    if (!node || found.has(node)) return
    found.add(node)
    if (typeof node.$ref === 'string') visit(resolvePointer(root, node.$ref))
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      const branches = node[key]
      if (Array.isArray(branches)) for (const branch of branches) visit(record(branch))
    }
  }
  for (const node of nodes) visit(node)
  return [...found]
}

/** Resolves a local reference (`#/$defs/edit`). */
export function resolvePointer(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined
  let current: JsonSchema | undefined = root
  for (const token of reference.slice(1).split('/').slice(1)) {
    const key = decodeToken(token)
    current = current && Object.hasOwn(current, key) ? record(current[key]) : undefined
  }
  return current
}

/** Decodes one token of a JSON pointer in a URL fragment. */
export function decodeToken(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns a value as an object if it is an object or array; undefined for any other value. */
export function record(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined
}

const defined = (node: JsonSchema | undefined): JsonSchema[] => (node ? [node] : [])
