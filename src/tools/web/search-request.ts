import { NetworkError } from '../../errors/index.js'
import { type RetryOptions, retryFetch } from '../../ops/retry.js'
import type { FetchAdapter, FetchRequest, FetchResponse } from '../../types/ports.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import type { SecretHeaders } from './options.js'
import { redacted, secretsIn, withoutSecrets } from './secrets.js'

/** One request to a search service. */
export interface SearchRequest<Answer> {
  /** The URL of the POST request. */
  readonly address: string
  readonly headers: SecretHeaders
  readonly retry: RetryOptions
  /** The request body, sent as JSON. */
  readonly body: JsonValue
  /** Converts the parsed response. Has no side effects. Undefined if the value is not a response of this service. */
  readonly read: (answer: unknown) => Answer | undefined
  /** Creates the error for a failed status; `said` is the response text without API keys. Default: an error without that text. */
  readonly refused?: (status: number, said: string) => Error
}

/**
 * Queries a search service through the fetch port, with retries, and reads its response. No value of `headers` is in the result or in an
 * error. For tools that require `fetch`: the runtime does not run them without it.
 *
 * @throws {NetworkError} `http_status`; `network`, with a cause named `SyntaxError` for invalid JSON and `TimeoutError` for a late
 * response; and errors of the port
 */
export async function requestSearch<Answer>(
  { address, headers, retry, body, read, refused }: SearchRequest<Answer>,
  context: ToolContext,
): Promise<Answer> {
  const keys = await keysOf(headers)
  const secrets = secretsIn(keys)
  const request = {
    url: address,
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...keys },
    body: JSON.stringify(body),
    signal: context.signal,
  }
  const scope = { host: context.host, signal: context.signal, until: endOf(context) }
  const response = await retryFetch(() => send(fetchOf(context), request, secrets), scope, retry)
  if (!response.ok && refused) throw refused(response.status, withoutSecrets(await textOf(response), secrets))
  const answer = read(redacted(await jsonOf(response), secrets))
  if (answer === undefined) throw new NetworkError('network', `${CANNOT}: the search service did not answer with search results`)
  // Remove the secrets once more: cleaning texts may have joined the parts of a key.
  return redacted(answer, secrets) as Answer
}

const CANNOT = 'Cannot search the web'

/** Returns the time after which an attempt would be too late, in milliseconds since the epoch. */
const endOf = ({ now, limits: { deadlineMs, graceMs } }: ToolContext): number => now.getTime() + Math.max(0, deadlineMs - graceMs)

const fetchOf = (context: ToolContext): FetchAdapter => context.fetch as FetchAdapter

async function keysOf(headers: SecretHeaders): Promise<Readonly<Record<string, string>>> {
  try {
    return typeof headers === 'function' ? await headers() : headers
  } catch {
    throw new NetworkError('network', `${CANNOT}: its key could not be read`)
  }
}

/** Sends a request. Removes keys from its errors: a redirect may put a key into its URL. */
async function send(fetch: FetchAdapter, request: FetchRequest, secrets: readonly string[]): Promise<FetchResponse> {
  try {
    return await fetch.fetch(request)
  } catch (error) {
    if (!(error instanceof Error) || withoutSecrets(error.message, secrets) === error.message) throw error
    const { code, retryable } = error as Partial<NetworkError>
    throw new NetworkError(error.name === 'NetworkError' && code ? code : 'network', withoutSecrets(error.message, secrets), { retryable })
  }
}

/** Reads a JSON response. For a failed status, creates an error without the service's own text, which may quote the request. */
async function jsonOf(response: FetchResponse): Promise<unknown> {
  const { ok, status } = response
  if (!ok) {
    throw new NetworkError('http_status', `${CANNOT}: the search service answered with status ${status}`, {
      httpStatus: status,
      retryable: status === 408 || status === 429 || status >= 500,
    })
  }
  try {
    return await response.json()
  } catch (cause) {
    throw new NetworkError('network', `${CANNOT}: the search service did not answer with JSON`, { cause })
  }
}

/** Reads the response text. Returns an empty text on failure, because the caller reports an error anyway. */
async function textOf(response: FetchResponse): Promise<string> {
  try {
    return await response.text()
  } catch {
    return ''
  }
}
