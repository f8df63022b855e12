import { defineTool } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import type { MemoryAdapter, MemoryEntry, MemoryQuery } from '../../types/ports.js'
import type { AnyTool, ToolContext } from '../../types/tool.js'
import { type Args, argumentsSchema, countOf, optionalStringParam } from './arguments.js'
import type { Guard } from './guard.js'

const DEFAULT_LIMIT = 5
const RFC_3339 = /^\d{4}-\d{2}-\d{2}([Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2}))?$/
const MODES = ['bm25', 'embedding', 'hybrid']

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words to look for; without them the newest memories' },
    limit: { type: 'integer', description: 'Memories at the most (default: 5)' },
    since: {
      type: 'string',
      pattern: RFC_3339.source,
      description: 'Only memories from this time on (RFC 3339, for example 2025-03-01T00:00:00Z)',
    },
    until: { type: 'string', pattern: RFC_3339.source, description: 'Only memories up to this time (RFC 3339)' },
    search_mode: { type: 'string', enum: MODES, description: 'How to search, where the memory has several ways' },
  },
}

/** A memory entry. Adapters may return fields that the port does not define. */
type Entry = MemoryEntry & { readonly category?: unknown }

export function memoryRecallTool(guard: Guard): AnyTool {
  return defineTool({
    name: 'memory_recall',
    description: 'Search long-term memory for what is relevant. The best memories come first, with how well they fit',
    inputSchema: argumentsSchema(schema, readQuery),
    annotations: { title: 'Recall', readOnlyHint: true, openWorldHint: false },
    requires: ['memory'],
    run: async (query, context) => {
      await guard.admitTool({ tool: 'memory_recall', input: query }, context)
      const entries = await memoryOf(context).recall({ ...query, signal: context.signal })
      context.signal.throwIfAborted()
      const shown = entries.slice(0, query.limit)
      if (shown.length === 0) return 'No memories found.'
      return [`Found ${shown.length} memories:`, ...shown.map(line)].join('\n')
    },
  })
}

function readQuery(args: Args): MemoryQuery & { readonly limit: number } {
  const mode = optionalStringParam(args, 'search_mode') ?? 'bm25'
  if (!MODES.includes(mode)) throw new InputError('invalid_input', `Invalid 'search_mode' parameter: expected ${MODES.join(', ')}`)
  const sinceMs = timeOf(args, 'since')
  const untilMs = timeOf(args, 'until')
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs > untilMs) {
    throw new InputError('invalid_input', `'since' must be before 'until'`)
  }
  return {
    query: optionalStringParam(args, 'query') ?? '',
    limit: countOf(args, 'limit') ?? DEFAULT_LIMIT,
    ...(sinceMs !== undefined && { sinceMs }),
    ...(untilMs !== undefined && { untilMs }),
  }
}

function timeOf(args: Args, name: string): number | undefined {
  const text = optionalStringParam(args, name)
  if (text === undefined) return undefined
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(time)) return time
  throw new InputError('invalid_input', `Invalid '${name}' date: ${text}. Expected RFC 3339, for example 2025-03-01T00:00:00Z`)
}

/** Renders one memory. Indents its further lines, so that no line can imitate another memory. */
function line({ category, key, text, score }: Entry): string {
  const kind = typeof category === 'string' ? `[${category}] ` : ''
  const name = key === undefined ? '' : `${key}: `
  const fit = score === undefined ? '' : ` [${Math.round(score * 100)}%]`
  return `- ${kind}${name}${text}`.replaceAll(/\r\n?|[\n\u2028\u2029]/g, '\n  ') + fit
}

/** The memory exists: the runtime does not run a tool without its required ports. */
const memoryOf = (context: ToolContext): MemoryAdapter => context.memory as MemoryAdapter
