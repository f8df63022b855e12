import { closestNames } from '../../core/closest-names.js'
import type { ToolCall } from '../../types/tool.js'
import { parseJson } from './json-syntax.js'

const KEYS: readonly (keyof ToolCall)[] = ['name', 'input', 'id']

/** Parses a call from JSON, or returns the problem. */
export function parseCall(json: string): { readonly call: ToolCall } | { readonly problem: string } {
  const parsed = parseJson(json.replace(/^\ufeff/, ''))
  if ('problem' in parsed) return { problem: `it is not JSON: ${parsed.problem}` }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
    return { problem: 'it must be an object with a "name"' }
  const unknown = Object.keys(value).find((key) => !KEYS.some((known) => known === key))
  if (unknown !== undefined) return { problem: unknownKey(unknown, 'input' in value) }
  return { call: value as ToolCall }
}

function unknownKey(key: string, hasInput: boolean): string {
  // APIs of models have other names for the input, such as `arguments`.
  const [meant = hasInput ? undefined : 'input'] = closestNames(key, KEYS, 1)
  return `it has an unknown key "${key}": ${meant === undefined ? `use ${KEYS.join(', ')}` : `did you mean "${meant}"?`}`
}
