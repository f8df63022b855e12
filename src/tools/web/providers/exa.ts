import type { JsonValue } from '../../../types/tool.js'
import { cleanNumber, cleanText, cleanUrl, elements, record } from '../sanitize.js'
import { LONGEST, type SearchProvider, type WebResult } from './provider.js'

/** The parameters of an Exa search that the tools use. */
export interface ExaSearch {
  readonly query: string
  readonly type?: 'auto' | 'fast' | 'neural' | 'deep'
  readonly numResults: number
  readonly text?: boolean
  readonly highlights?: { readonly query: string; readonly sentences: number; readonly perUrl: number }
  readonly includeDomains?: readonly string[]
  readonly excludeDomains?: readonly string[]
}

export interface ExaRow {
  readonly title: string
  readonly url?: string
  readonly score?: number
  readonly author?: string
  readonly published_date?: string
  readonly text?: string
  readonly highlights?: readonly string[]
  readonly highlight_scores?: readonly number[]
}

export interface ExaReply {
  readonly results: readonly ExaRow[]
  readonly request_id?: string
}

const MOST_ROWS = 100
const MOST_HIGHLIGHTS = 25

/**
 * Creates the request body for Exa, directly or through `/proxy/exa`. The body has the highlight settings twice, because Exa's older and
 * newer interfaces read them in different places.
 */
export function exaRequest({ query, type = 'auto', numResults, text, highlights, ...domains }: ExaSearch): JsonValue {
  const wanted = highlights && { query: highlights.query, numSentences: highlights.sentences, highlightsPerUrl: highlights.perUrl }
  const { includeDomains = [], excludeDomains = [] } = domains
  return {
    query,
    type,
    numResults,
    ...((text || wanted) && { contents: { ...(text && { text: true }), ...(wanted && { highlights: wanted }) } }),
    ...(wanted && { highlights: wanted }),
    ...(includeDomains.length > 0 && { includeDomains }),
    ...(excludeDomains.length > 0 && { excludeDomains }),
  }
}

/** Undefined if the value is not a response of Exa. Skips rows with neither a URL nor a title. */
export function parseExa(body: unknown): ExaReply | undefined {
  const reply = record(body)
  if (!Array.isArray(reply?.results)) return undefined
  const id = cleanText(reply.requestId ?? reply.request_id, LONGEST.short)
  return { results: elements(reply.results, MOST_ROWS).flatMap((row) => parseRow(record(row))), ...(id && { request_id: id }) }
}

function parseRow(row: Readonly<Record<string, unknown>> | undefined): ExaRow[] {
  const url = cleanUrl(row?.url)
  const title = cleanText(row?.title, LONGEST.title) || url
  if (!row || title === undefined) return []
  const score = cleanNumber(row.score)
  const author = cleanText(row.author, LONGEST.title)
  const date = cleanText(row.publishedDate ?? row.published_date, LONGEST.short)
  const text = cleanText(row.text, LONGEST.text)
  const highlights = elements(row.highlights, MOST_HIGHLIGHTS)
    .map((highlight) => cleanText(highlight, LONGEST.snippet))
    .filter((highlight) => highlight !== '')
  const scores = elements(row.highlightScores ?? row.highlight_scores, MOST_HIGHLIGHTS).flatMap((value) => cleanNumber(value) ?? [])
  return [
    {
      title,
      ...(url !== undefined && { url }),
      ...(score !== undefined && { score }),
      ...(author && { author }),
      ...(date && { published_date: date }),
      ...(text && { text }),
      ...(highlights.length > 0 && { highlights }),
      ...(scores.length > 0 && { highlight_scores: scores }),
    },
  ]
}

const SENTENCES = 2
const HIGHLIGHTS = 3

export const exa: SearchProvider = {
  name: 'exa',
  toRequest: ({ query, maxResults, includeDomains, excludeDomains }) =>
    exaRequest({
      query,
      numResults: maxResults,
      highlights: { query, sentences: SENTENCES, perUrl: HIGHLIGHTS },
      includeDomains,
      excludeDomains,
    }),
  parseResponse: (body) => parseExa(body)?.results.flatMap(toResult),
}

function toResult({ title, url, score, published_date, text, highlights }: ExaRow): WebResult[] {
  if (url === undefined) return []
  const snippet = cleanText(highlights?.join(' ... ') ?? text, LONGEST.snippet)
  return [{ title, url, snippet, ...(published_date !== undefined && { published_date }), ...(score !== undefined && { score }) }]
}
