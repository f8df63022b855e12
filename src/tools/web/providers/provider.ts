import type { JsonValue } from '../../../types/tool.js'

/** The path of each search service of a proxy, below its base URL. */
export const SEARCH_PATHS = { google: '/proxy/cse', serper: '/proxy/serper', exa: '/proxy/exa' } as const

export type SearchProviderName = keyof typeof SEARCH_PATHS

/** A search as the tool requests it. */
export interface WebSearch {
  readonly query: string
  /** Maximum number of results, from 1. */
  readonly maxResults: number
  /** Host names, each including its subdomains. An empty list allows all hosts. */
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
}

export interface WebResult {
  readonly title: string
  /** `http:` or `https:`. */
  readonly url: string
  readonly snippet: string
  /** The date in the provider's own format. */
  readonly published_date?: string
  readonly score?: number
}

/** How to query one search service and read its response. Both functions have no side effects. */
export interface SearchProvider {
  readonly name: SearchProviderName
  /** The JSON body of the POST request, including domain filters if the service has them. */
  toRequest(search: WebSearch): JsonValue
  /** Undefined if the value is not a response of this service. Skips unusable rows. */
  parseResponse(body: unknown): readonly WebResult[] | undefined
}

/** Maximum characters of texts from the network; see `cleanText`. */
export const LONGEST = { title: 300, snippet: 2000, text: 10_000, short: 100 } as const
