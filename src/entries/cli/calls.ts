import type { ToolCall } from '../../types/tool.js'
import { parseJson } from './json-syntax.js'

/** Parses a call from JSON, or returns the problem. */
export function parseCall(json: string): { readonly call: ToolCall } | { readonly problem: string } {
  const parsed = parseJson(json.replace(/^\ufeff/, ''))
  if ('problem' in parsed) return { problem: `it is not JSON: ${parsed.problem}` }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
    return { problem: 'it must be an object with a "name"' }
  return { call: value as ToolCall }
}
