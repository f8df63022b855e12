import type { FetchRequest } from '../../types/ports.js'
import type { JsonValue } from '../../types/tool.js'

/** What a request asks of one search service. */
export interface UpstreamSearch {
  /** The request in one spelling: what the cache knows it by. */
  readonly key: JsonValue
  /** For the service, with its key. */
  readonly request: FetchRequest
  /** The answer of the service as the proxy gives it; undefined where it is none. */
  readonly shape: (body: unknown) => JsonValue | undefined
}

/** One search service that is set up. */
export interface UpstreamService {
  readonly path: string
  readonly name: string
  readonly url: string
  /** Never to be told. */
  readonly secrets: readonly string[]
  /** @throws {ProxyError} for a body that asks for nothing */
  read(body: Readonly<Record<string, unknown>>): UpstreamSearch
}
