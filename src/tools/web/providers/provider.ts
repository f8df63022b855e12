import type { JsonValue } from '../../../types/tool.js'

/** Where a proxy has each search service, behind its base address. */
export const SEARCH_PATHS = { google: '/proxy/cse', serper: '/proxy/serper', exa: '/proxy/exa' } as const

export type SearchProviderName = keyof typeof SEARCH_PATHS

/** A search as the tool asks for it. */
export interface WebSearch {
  readonly query: string
  /** From 1. */
  readonly maxResults: number
  /** Host names; a subdomain belongs to its domain. None: all. */
  readonly includeDomains: readonly string[]
  readonly excludeDomains: readonly string[]
}

export interface WebResult {
  readonly title: string
  /** `http:` or `https:`. */
  readonly url: string
  readonly snippet: string
  /** As the provider writes it. */
  readonly published_date?: string
  readonly score?: number
}

/** How one search service is asked, and read. Both functions are pure. */
export interface SearchProvider {
  readonly name: SearchProviderName
  /** The JSON to send with POST. Domain filters are in it where the service has some. */
  toRequest(search: WebSearch): JsonValue
  /** Undefined where the answer is none of this service. Rows that cannot be used are left out. */
  parseResponse(body: unknown): readonly WebResult[] | undefined
}

/** Characters of what comes from the network; see `cleanText`. */
export const LONGEST = { title: 300, snippet: 2000, text: 10_000, short: 100 } as const
