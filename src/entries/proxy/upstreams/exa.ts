import { type ExaSearch, exaRequest, parseExa } from '../../../tools/web/providers/exa.js'
import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { secretsIn } from '../../../tools/web/secrets.js'
import { record } from '../../../tools/web/untrusted.js'
import type { JsonValue } from '../../../types/tool.js'
import { choiceField, countField, domainsField, queryField } from '../fields.js'
import type { Upstream } from '../options.js'
import type { UpstreamService } from './upstream.js'

const MOST = 25
const MOST_HIGHLIGHTS = 8

/** Takes and gives what Exa itself does, as far as the tools use it. */
export function exa({ url, key }: Upstream): UpstreamService {
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
