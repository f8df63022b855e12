import { InputError, NetworkError } from '../../errors/index.js'
import { codePointBoundary } from '../../ops/utf8.js'
import type { SecretHeaders } from '../../tools/web/index.js'
import { type ExaRow, exaRequest, parseExa } from '../../tools/web/providers/exa.js'
import { cleanText } from '../../tools/web/sanitize.js'
import { requestSearch } from '../../tools/web/search-request.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import type { SearchWebInput, SearchWebSettings } from './inputs.js'

const LONGEST = { text: 2000, highlight: 400, said: 220 } as const

/** Implements `search_web`. */
export async function runSearchWeb(input: SearchWebInput, context: ToolContext, settings: SearchWebSettings): Promise<JsonValue> {
  const { exa } = settings
  const headers = exa?.headers ?? (await keyHeader(settings))
  if (!exa) throw unavailable('no address to ask is configured')
  const asked = { query: input.query, type: input.type, num_results: input.numResults }
  const { results, request_id } = await requestSearch(
    {
      address: exa.url,
      headers,
      retry: exa.retry ?? {},
      body: exaRequest(input),
      read: parseExa,
      refused: (status, said) => refusal(status, said, asked),
    },
    context,
  )
  const rows = results.map(toRow)
  return { status: 'ok', ...asked, total_results: rows.length, results: rows, ...(request_id !== undefined && { request_id }) }
}

/** Returns the header with the API key. @throws {InputError} without a key, before any request */
async function keyHeader({ getApiKey }: SearchWebSettings): Promise<SecretHeaders> {
  let key: unknown
  try {
    key = await getApiKey()
  } catch {
    // The error's own message may contain the key.
    throw new NetworkError('network', 'search_web unavailable: the exa api key could not be read')
  }
  const text = typeof key === 'string' ? key.trim() : ''
  if (text === '') throw unavailable('missing exa api key')
  return { 'x-api-key': text }
}

const unavailable = (why: string): InputError => new InputError('invalid_input', `search_web unavailable: ${why}`)

/** Creates the error for a failed search. `toWire` returns its details as the output of the failure. */
function refusal(status: number, said: string, asked: Readonly<Record<string, JsonValue>>): NetworkError {
  const message = `exa search failed (${status}): ${cleanText(said, Number.MAX_SAFE_INTEGER).slice(0, LONGEST.said) || 'empty response'}`
  const retryable = status === 408 || status === 429 || status >= 500
  return Object.assign(new NetworkError('http_status', message, { httpStatus: status, retryable }), { details: asked })
}

function toRow({ text, highlights, ...row }: ExaRow): JsonValue {
  const { highlight_scores, ...rest } = row
  return {
    ...rest,
    ...(text !== undefined && { text: cleanText(text, LONGEST.text) }),
    ...(highlights && { highlights: highlights.map((each) => within(each, LONGEST.highlight)) }),
    ...(highlight_scores && { highlight_scores }),
  }
}

/** Truncates the text; the length includes the `...`. */
function within(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, codePointBoundary(text, longest - 3))}...`
}
