import type { FetchRequest } from '../../types/ports.js'
import type { JsonValue } from '../../types/tool.js'

/** A validated search for one service. */
export interface UpstreamSearch {
  /** The normalised request, as the key of the cache. */
  readonly key: JsonValue
  /** The request to the service, with its API key. */
  readonly request: FetchRequest
  /** Converts the service's answer to the proxy's format; undefined for an invalid answer. */
  readonly shape: (body: unknown) => JsonValue | undefined
}

/** A configured search service. */
export interface UpstreamService {
  readonly path: string
  readonly name: string
  readonly url: string
  /** Values that must not appear in any response. */
  readonly secrets: readonly string[]
  /** @throws {ProxyError} for an invalid body */
  read(body: Readonly<Record<string, unknown>>): UpstreamSearch
}
