import { normalDomain } from '../../tools/web/domains.js'
import { type ExaSearch, exaRequest, parseExa } from '../../tools/web/providers/exa.js'
import { LONGEST, SEARCH_PATHS } from '../../tools/web/providers/provider.js'
import type { ProxiedRow } from '../../tools/web/providers/proxied.js'
import { cleanText, cleanUrl, elements, record } from '../../tools/web/sanitize.js'
import { secretsIn } from '../../tools/web/secrets.js'
import type { FetchRequest } from '../../types/ports.js'
import type { JsonValue } from '../../types/tool.js'
import { ProxyError } from './answers.js'
import type { ProxyOptions, Upstream } from './options.js'
import type { UpstreamService } from './upstream.js'

/** Matches text that a header may contain: printable ASCII without spaces. */
const PRINTABLE = /^[\x21-\x7e]+$/

/**
 * Returns the search services by path; undefined for a service without a key. @throws {TypeError} whose message contains neither keys nor
 * URLs
 */
export function servicesOf(options: ProxyOptions): ReadonlyMap<string, UpstreamService | undefined> {
  for (const name of ['google', 'serper', 'exa'] as const) if (options[name]) checkUpstream(name, options[name])
  if (options.token !== undefined && !PRINTABLE.test(options.token))
    throw new TypeError('Cannot use the token: it has to be printable ASCII')
  return new Map([
    [SEARCH_PATHS.google, options.google && google(options.google)],
    [SEARCH_PATHS.serper, options.serper && serper(options.serper)],
    [SEARCH_PATHS.exa, options.exa && exa(options.exa)],
  ])
}

function checkUpstream(name: string, { url, key }: Upstream): void {
  if (!PRINTABLE.test(key)) throw new TypeError(`Cannot use the key of ${name}: it has to be printable ASCII`)
  const address = URL.canParse(url) ? new URL(url) : undefined
  const fits = address && /^https?:$/.test(address.protocol) && !address.username && !address.password
  if (!fits) throw new TypeError(`Cannot use the address of ${name}: expected one that begins with http:// or https://`)
}

function google({ url, key, engine }: NonNullable<ProxyOptions['google']>): UpstreamService {
  return rowService({
    path: SEARCH_PATHS.google,
    name: 'google',
    url,
    key,
    most: 10,
    fields: { display: 'displayLink' },
    toRequest(query, count) {
      const address = new URL(url)
      for (const [name, value] of Object.entries({ key, cx: engine, q: query, num: String(count) })) address.searchParams.set(name, value)
      return { url: address.href, headers: { accept: 'application/json' } }
    },
    rowsOf(answer) {
      // The service omits "items" if there are no results.
      const items = record(answer)?.items ?? []
      return record(answer) && Array.isArray(items) ? items : undefined
    },
  })
}

function serper({ url, key }: Upstream): UpstreamService {
  return rowService({
    path: SEARCH_PATHS.serper,
    name: 'serper',
    url,
    key,
    most: 100,
    fields: { date: 'date' },
    toRequest: (query, count) => ({
      url,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ q: query, num: count }),
    }),
    rowsOf(answer) {
      const organic = record(answer)?.organic
      return Array.isArray(organic) ? organic : undefined
    },
  })
}

const MOST = 25
const MOST_HIGHLIGHTS = 8

/** Accepts requests and returns answers in Exa's format, limited to the fields that the tools use. */
function exa({ url, key }: Upstream): UpstreamService {
  return {
    path: SEARCH_PATHS.exa,
    name: 'exa',
    url,
    secrets: secretsIn({ key }),
    read(body) {
      const search = readSearch(body)
      const request = exaRequest(search)
      return {
        key: request,
        request: {
          url,
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key },
          body: JSON.stringify(request),
        },
        shape: (answer) => shape(answer, search.numResults),
      }
    },
  }
}

function readSearch(body: Readonly<Record<string, unknown>>): ExaSearch {
  const contents = record(body.contents)
  const query = queryField(body.query)
  const highlights = record(contents?.highlights ?? body.highlights)
  return {
    query,
    type: choiceField(body.type, 'type', ['auto', 'fast', 'neural', 'deep']),
    numResults: countField(body.numResults, 'numResults', { most: MOST, byDefault: 8 }),
    text: contents?.text === true,
    ...(highlights && {
      highlights: {
        query: highlights.query === undefined ? query : queryField(highlights.query, 'highlights.query'),
        sentences: countField(highlights.numSentences, 'numSentences', { most: MOST_HIGHLIGHTS, byDefault: 2 }),
        perUrl: countField(highlights.highlightsPerUrl, 'highlightsPerUrl', { most: MOST_HIGHLIGHTS, byDefault: 3 }),
      },
    }),
    includeDomains: domainsField(body.includeDomains, 'includeDomains'),
    excludeDomains: domainsField(body.excludeDomains, 'excludeDomains'),
  }
}

function shape(answer: unknown, most: number): JsonValue | undefined {
  const reply = parseExa(answer)
  if (!reply) return undefined
  const results = reply.results.slice(0, most).map(({ published_date, highlight_scores, ...row }) => ({
    ...row,
    ...(published_date !== undefined && { publishedDate: published_date }),
    ...(highlight_scores && { highlightScores: highlight_scores }),
  }))
  return { results, ...(reply.request_id !== undefined && { requestId: reply.request_id }) }
}

/** A service that returns a list of rows with `title`, `link` and `snippet`. */
interface RowService extends Pick<UpstreamService, 'path' | 'name' | 'url'> {
  readonly key: string
  /** Maximum number of rows of one search. */
  readonly most: number
  readonly fields: RowFields
  toRequest(query: string, count: number): FetchRequest
  /** Returns the list of rows in the service's answer; undefined if the answer is invalid. */
  rowsOf(answer: unknown): readonly unknown[] | undefined
}

const DEFAULT_COUNT = 5

/** Accepts `query` and `max_results`, and returns rows in the proxy's format. */
function rowService({ path, name, url, key, most, fields, toRequest, rowsOf }: RowService): UpstreamService {
  return {
    path,
    name,
    url,
    secrets: secretsIn({ key }),
    read(body) {
      const query = queryField(body.query)
      const count = countField(body.max_results, 'max_results', { most, byDefault: DEFAULT_COUNT })
      return {
        key: { query, count },
        request: toRequest(query, count),
        shape(answer) {
          const rows = rowsOf(answer)
          return rows && { query, results: toRows(rows, count, fields).map((row) => ({ ...row })) }
        },
      }
    },
  }
}

/** Names of the optional fields of a row, as the service calls them. */
interface RowFields {
  readonly display?: string
  readonly date?: string
}

/** Converts rows with `title`, `link` and `snippet` to the proxy's format. */
function toRows(list: unknown, most: number, { display = '', date = '' }: RowFields): readonly ProxiedRow[] {
  const rows = elements(list, most).flatMap((element) => {
    const row = record(element)
    const url = cleanUrl(row?.link)
    if (!row || url === undefined) return []
    const display_link = cleanText(row[display], LONGEST.title)
    const published_date = cleanText(row[date], LONGEST.short)
    return [
      {
        title: cleanText(row.title, LONGEST.title) || url,
        url,
        snippet: cleanText(row.snippet, LONGEST.snippet),
        ...(display_link && { display_link }),
        ...(published_date && { published_date }),
      },
    ]
  })
  return rows.map((row, index) => ({ ...row, rank: index + 1 }))
}

const LONGEST_QUERY = 2000
const MOST_DOMAINS = 100

const wrong = (message: string): ProxyError => new ProxyError('invalid_request', message)

/** Normalises a query, so that equal searches share a cache entry. @throws {ProxyError} */
function queryField(value: unknown, name = 'query'): string {
  if (typeof value !== 'string') throw wrong(`"${name}" must be text`)
  const query = value.normalize('NFC').replace(/\s+/g, ' ').trim()
  if (query === '') throw wrong(`"${name}" must not be empty`)
  if (query.length > LONGEST_QUERY) throw wrong(`"${name}" is longer than ${LONGEST_QUERY} characters`)
  return query
}

/** @throws {ProxyError} */
function countField(value: unknown, name: string, bounds: { readonly most: number; readonly byDefault: number }): number {
  if (value === undefined) return bounds.byDefault
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= bounds.most) return value as number
  throw wrong(`"${name}" must be a whole number from 1 to ${bounds.most}`)
}

/** @throws {ProxyError} */
function choiceField<const Choice extends string>(value: unknown, name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  if (value === undefined) return choices[0]
  const choice = choices.find((known) => known === value)
  if (choice === undefined) throw wrong(`"${name}" must be one of ${choices.join(', ')}`)
  return choice
}

/** @throws {ProxyError} */
function domainsField(value: unknown, name: string): readonly string[] {
  if (value === undefined) return []
  const given: readonly unknown[] = Array.isArray(value) ? value : [undefined]
  const domains = given.map((domain) => (typeof domain === 'string' ? normalDomain(domain.trim()) : undefined))
  if (given.length > MOST_DOMAINS || domains.includes(undefined)) throw wrong(`"${name}" must be a list of at most ${MOST_DOMAINS} domains`)
  return [...new Set(domains as string[])].sort()
}
