import { cleanNumber, cleanText, cleanUrl, elements, record } from '../sanitize.js'
import { LONGEST, type WebResult, type WebSearch } from './provider.js'

/** The request body of `/proxy/cse` and `/proxy/serper`. */
export interface ProxiedRequest {
  readonly query: string
  readonly max_results: number
}

export interface ProxiedRow {
  readonly title: string
  readonly url: string
  readonly snippet: string
  /** The host, for display. */
  readonly display_link?: string
  readonly published_date?: string
  /** Position in the results, from 1. */
  readonly rank: number
}

/** The response of `/proxy/cse` and `/proxy/serper`. */
export interface ProxiedReply {
  readonly query: string
  readonly results: readonly ProxiedRow[]
}

const MOST_ROWS = 100

/** Creates the request body. Domain filters become Google's `site:` operators in the query. */
export function proxiedRequest({ query, maxResults, includeDomains, excludeDomains }: WebSearch): ProxiedRequest {
  const wanted = includeDomains.map((domain) => `site:${domain}`).join(' OR ')
  const only = includeDomains.length > 1 ? `(${wanted})` : wanted
  const operators = [only, ...excludeDomains.map((domain) => `-site:${domain}`)].filter((operator) => operator !== '')
  return { query: [query, ...operators].join(' '), max_results: maxResults }
}

/** Parses a response. Undefined if the value is not such a response. Skips rows without a usable URL. */
export function parseProxied(body: unknown): ProxiedReply | undefined {
  const reply = record(body)
  if (!Array.isArray(reply?.results)) return undefined
  const results = elements(reply.results, MOST_ROWS).flatMap((row, index) => parseRow(record(row), index))
  return { query: cleanText(reply.query, LONGEST.snippet), results }
}

function parseRow(row: Readonly<Record<string, unknown>> | undefined, index: number): ProxiedRow[] {
  const url = cleanUrl(row?.url)
  if (!row || url === undefined) return []
  const display = cleanText(row.display_link, LONGEST.title)
  const date = cleanText(row.published_date, LONGEST.short)
  return [
    {
      title: cleanText(row.title, LONGEST.title) || url,
      url,
      snippet: cleanText(row.snippet, LONGEST.snippet),
      ...(display && { display_link: display }),
      ...(date && { published_date: date }),
      rank: cleanNumber(row.rank) ?? index + 1,
    },
  ]
}

export function proxiedResults(body: unknown): readonly WebResult[] | undefined {
  return parseProxied(body)?.results.map(({ title, url, snippet, published_date }) => ({
    title,
    url,
    snippet,
    ...(published_date !== undefined && { published_date }),
  }))
}
