import { defineTool } from '../../core/define-tool.js'
import { lazy } from '../../core/lazy.js'
import { InputError } from '../../errors/index.js'
import { checkOptions, type WebSettings, type WebToolsOptions } from '../../tools/web/options.js'
import type { AnyTool } from '../../types/tool.js'
import { optional, serdeSchema, text, unsigned } from './serde.js'

const body = lazy(() => import('./web-search-run.js'))

/** The search proxy, with its request options. */
export type LoomWebSearch = Omit<WebToolsOptions, 'provider'>

const DEFAULT_RESULTS = 5

/** Creates `web_search` (Google) and `web_search_serper`. @throws {TypeError} for an invalid base URL */
export function webSearchTools(options: LoomWebSearch): AnyTool[] {
  return [
    webSearch('web_search', 'Perform web searches via the server proxy.', 10, checkOptions({ ...options, provider: 'google' })),
    webSearch(
      'web_search_serper',
      'Perform web searches with Serper.dev via the server proxy.',
      100,
      checkOptions({ ...options, provider: 'serper' }),
    ),
  ]
}

function webSearch(name: string, description: string, most: number, settings: WebSettings): AnyTool {
  const schema = {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Search query in natural language' },
      max_results: { type: 'integer', minimum: 1, maximum: most, description: `Maximum results (default: 5, max: ${most})` },
    },
    required: ['query'],
  }
  return defineTool({
    name,
    description,
    inputSchema: serdeSchema(schema, { query: text, max_results: optional(unsigned, DEFAULT_RESULTS) }),
    annotations: { title: 'Search the web', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    requires: ['fetch'],
    async run({ query, max_results }, context) {
      if (query.trim() === '') throw new InputError('invalid_input', 'query must not be empty')
      const { runWebSearch } = await body()
      return runWebSearch({ query, maxResults: Math.max(1, Math.min(max_results, most)) }, context, settings)
    },
  })
}
