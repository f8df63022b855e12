import { NetworkError } from '../../errors/index.js'
import type { WebSettings } from '../../tools/web/options.js'
import { type ProxiedReply, parseProxied, proxiedRequest } from '../../tools/web/providers/proxied.js'
import { requestSearch } from '../../tools/web/search-request.js'
import type { ToolContext } from '../../types/tool.js'
import { asVariant } from './tool-error.js'

const NO_DOMAINS = { includeDomains: [], excludeDomains: [] }

/** Sends the search to the proxy and returns its results in their order, without values that are not text. */
export async function runWebSearch(
  search: { readonly query: string; readonly maxResults: number },
  context: ToolContext,
  { address, headers, retry }: WebSettings,
): Promise<ProxiedReply> {
  const body = { ...proxiedRequest({ ...search, ...NO_DOMAINS }) }
  try {
    return await requestSearch({ address, headers, retry, body, read: replyOf }, context)
  } catch (error) {
    throw worded(error)
  }
}

function replyOf(answer: unknown): ProxiedReply {
  const reply = parseProxied(answer)
  if (reply) return reply
  throw serialization(new NetworkError('network', 'the proxy answered with JSON of another shape'))
}

/** Converts a network error to one of the three variants for network errors. Other errors keep the variant of their code. */
function worded(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'NetworkError')) return error
  const cause = error.cause instanceof Error ? error.cause.name : undefined
  if (cause === 'TimeoutError') return asVariant(new NetworkError('network', error.message), 'Timeout')
  return cause === 'SyntaxError' ? serialization(new NetworkError('network', 'the proxy did not answer with JSON')) : error
}

const serialization = (error: NetworkError): NetworkError => asVariant(error, { Serialization: error.message })
