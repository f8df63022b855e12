import { defineTool } from '../../core/define-tool.js'
import { list, type OptionalField, object, optional, text } from '../../core/fields.js'
import { lazy } from '../../core/lazy.js'
import type { AnyTool } from '../../types/tool.js'
import { outputOf } from '../outputs/load.js'
import { charactersAtMost, integer, NOT_BLANK, notBlank, refuse } from '../schema.js'
import { normalDomain } from './domains.js'
import { checkOptions, type WebSettings, type WebToolsOptions } from './options.js'

export type { SecretHeaders, WebToolsOptions } from './options.js'

/** Creates the tool `web_search`. The tool needs a fetch adapter that allows the origin of `baseUrl`. */
export function webTools(options: WebToolsOptions): AnyTool[] {
  return [webSearch(checkOptions(options))]
}

const body = lazy(() => import('./web-search-run.js'))

const MOST_DOMAINS = 20
const LONGEST_QUERY = 1000
/** The part of `normalDomain` that a pattern can express: the URL parser decides which names are domains. */
const LIKE_A_DOMAIN = '^[^\\s/\\\\:@?#\\[\\]%]+$'

const domain = text(undefined, { pattern: LIKE_A_DOMAIN }, [
  refuse((name) => normalDomain(name) === undefined, 'is not a domain: pass a name such as "example.com"'),
])

const domains = (description: string): OptionalField<string[]> => optional(list(domain, { max: MOST_DOMAINS, description }))

const webSearchInput = object({
  query: text('What to search for, in natural language.', { pattern: NOT_BLANK, maxLength: LONGEST_QUERY }, [
    notBlank('is empty: pass a query'),
    charactersAtMost(LONGEST_QUERY),
  ]),
  max_results: integer('Maximum results.', { min: 1, max: 10, byDefault: 5 }),
  include_domains: domains('Only results from these domains and their subdomains.'),
  exclude_domains: domains('No results from these domains and their subdomains.'),
})

function webSearch(settings: WebSettings): AnyTool {
  return defineTool({
    name: 'web_search',
    description: 'Search the web. Returns titles, URLs and snippets, not full pages.',
    inputSchema: webSearchInput,
    outputSchema: outputOf('web_search'),
    annotations: { title: 'Search the web', readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    requires: ['fetch'],
    run: async (input, context) => (await body()).runWebSearch(input, context, settings),
  })
}
