import { isRecord } from '../../ops/is-record.js'
import { originNoteOf } from '../../tools/custom/origin-note.js'
import type { AnyTool, JsonSchema, ManifestEntry } from '../../types/tool.js'

/** Names of groups of tools, by the ports that the tools need. */
export const TOOL_GROUPS = ['files', 'checkpoints', 'shell', 'js', 'web', 'memory'] as const

/** A group of tools. `files` has every tool that belongs to no other group. */
export type McpToolGroup = (typeof TOOL_GROUPS)[number]

export function groupOf({ name, requires = [] }: Pick<AnyTool, 'name' | 'requires'>): McpToolGroup {
  if (requires.includes('shell') || requires.includes('shell.spawn')) return 'shell'
  if (requires.includes('js') || requires.includes('js.spawn')) return 'js'
  if (requires.includes('fetch') || requires.includes('model')) return 'web'
  if (requires.includes('memory')) return 'memory'
  return /checkpoint/.test(name) ? 'checkpoints' : 'files'
}

/** Whether a tool is wanted, by its name or its group. `wanted` undefined: all tools are. */
export function isWanted(tool: AnyTool, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.includes(tool.name) || wanted.includes(groupOf(tool))
}

/** @throws {RangeError} for a name that is neither a group nor a tool */
export function checkWanted(wanted: readonly string[] = [], tools: readonly AnyTool[]): void {
  const known: readonly string[] = [...TOOL_GROUPS, ...tools.map(({ name }) => name)]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new RangeError(`Cannot create an MCP server: "tools" has "${unknown}", which is no group (${TOOL_GROUPS.join(', ')}) and no tool`)
}

/** Number of optional parameters in a compact list. Tools declare common parameters first. */
const MOST_OPTIONAL = 2

/**
 * Parameters that a compact list always contains, because results refer to `cursor`, and the tools for background sessions need
 * `run_in_background`.
 */
const ALWAYS = new Set(['cursor', 'run_in_background'])

/**
 * Keywords that a compact list omits, because a model seldom needs validation limits. A wrong value still gets an error that names the
 * limit.
 */
const LIMITS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'additionalProperties'])

/**
 * Shortens a manifest entry to the first sentence of each description, the file of a custom tool, the required parameters and the first
 * optional parameters. Calls may still use all parameters.
 */
export function compact(entry: ManifestEntry): ManifestEntry {
  const { properties, required } = entry.inputSchema
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const all = Object.entries(isRecord(properties) ? properties : {})
  const optional = all.filter(([name]) => !needed.includes(name)).slice(0, MOST_OPTIONAL)
  const kept = all.filter(([name]) => needed.includes(name) || ALWAYS.has(name) || optional.some(([other]) => other === name))
  const inputSchema = { ...entry.inputSchema, ...(isRecord(properties) && { properties: Object.fromEntries(kept) }) }
  const note = originNoteOf(entry.description)
  const description = firstSentence(entry.description.slice(0, entry.description.length - note.length)) + note
  return { ...entry, description, inputSchema: shortened(inputSchema) as JsonSchema }
}

function shortened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortened)
  if (!isRecord(schema)) return schema
  const entries = Object.entries(schema).filter(([key]) => !LIMITS.has(key))
  return Object.fromEntries(entries.map(([key, value]) => [key, shortenedAt(key, value)]))
}

function shortenedAt(key: string, value: unknown): unknown {
  if (key === 'description' && typeof value === 'string') return firstSentence(value)
  // The keys of `properties` are parameter names, so one of them may equal a keyword, such as `default`.
  if (key === 'properties' && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
  return ['default', 'const', 'enum', 'required'].includes(key) ? value : shortened(value)
}

const firstSentence = (text: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
