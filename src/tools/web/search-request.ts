import { NetworkError } from '../../errors/index.js'
import { type RetryOptions, retryFetch } from '../../ops/retry.js'
import type { FetchAdapter, FetchRequest, FetchResponse } from '../../types/ports.js'
import type { JsonValue, ToolContext } from '../../types/tool.js'
import type { SecretHeaders } from './options.js'
import { redacted, secretsIn, withoutSecrets } from './secrets.js'

/** One question to a search service. */
export interface SearchRequest<Answer> {
  /** Where it is sent, with POST. */
  readonly address: string
  readonly headers: SecretHeaders
  readonly retry: RetryOptions
  /** Sent as JSON. */
  readonly body: JsonValue
  /** What the tool makes of the answer: pure; undefined where it is no answer of this service. */
  readonly read: (answer: unknown) => Answer | undefined
  /** The error for another status than a good one; `said` is the answer's text, without keys. Default: nothing of it is passed on. */
  readonly refused?: (status: number, said: string) => Error
}

/**
 * Asks a search service through the fetch port, more than once where that may help, and reads its answer. No value of `headers` is in
 * what it gives, nor in what it throws. For tools that require `fetch`: the runtime does not run them without.
 *
 * @throws {NetworkError} `http_status`; `network`, with a cause named `SyntaxError` for what is no JSON and `TimeoutError` for an answer
 * that did not come in time; and what the port throws
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
  if (answer === undefined) throw new NetworkError('network', `${CANNOT}: the search service answered with something else than results`)
  // Once more: cleaning texts may have put together what was none before.
  return redacted(answer, secrets) as Answer
}

const CANNOT = 'Cannot search the web'

/** When an attempt would come too late to be of use. */
const endOf = ({ now, limits: { deadlineMs, graceMs } }: ToolContext): number => now.getTime() + Math.max(0, deadlineMs - graceMs)

const fetchOf = (context: ToolContext): FetchAdapter => context.fetch as FetchAdapter

async function keysOf(headers: SecretHeaders): Promise<Readonly<Record<string, string>>> {
  try {
    return typeof headers === 'function' ? await headers() : headers
  } catch {
    throw new NetworkError('network', `${CANNOT}: its key could not be read`)
  }
}

/** Errors too are not to have a key in them: a redirect may write one into its address. */
async function send(fetch: FetchAdapter, request: FetchRequest, secrets: readonly string[]): Promise<FetchResponse> {
  try {
    return await fetch.fetch(request)
  } catch (error) {
    if (!(error instanceof Error) || withoutSecrets(error.message, secrets) === error.message) throw error
    const { code, retryable } = error as Partial<NetworkError>
    throw new NetworkError(error.name === 'NetworkError' && code ? code : 'network', withoutSecrets(error.message, secrets), { retryable })
  }
}

/** What the service says of its own error is not passed on: it may quote what it was sent. */
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

/** Empty where it cannot be read: that there was an error is known already. */
async function textOf(response: FetchResponse): Promise<string> {
  try {
    return await response.text()
  } catch {
    return ''
  }
}
