import type { FetchAdapter } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'

/** A package registry. */
export interface PackageSource {
  /** Base URL of the registry. */
  readonly registry: string
  readonly fetch: FetchAdapter
  /** Why packages are not available, in words for the user. Undefined: available. Never rejects. */
  missing(): Promise<string | undefined>
}

const MIB = 1024 * 1024

/** Maximum size of a response. The metadata of a package with thousands of versions is large. */
const MAX_BYTES = 64 * MIB
const TIMEOUT_MS = 120_000

export const NO_REGISTRY =
  'This page is served without a package registry. Start it with “npm start”: that passes what is asked for at registry/ on to the registry that npm is set to.'

/** The registry proxy of the page's own server. Its root reports whether the proxy is available. */
export function pageRegistry(page: string = location.href): PackageSource {
  const registry = new URL('registry/', page).href
  const fetch = createFetch({ origins: [new URL(registry).origin], maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
  return {
    registry,
    fetch,
    async missing() {
      try {
        const response = await fetch.fetch({ url: registry, headers: { accept: 'application/json' } })
        const answer: unknown = response.ok ? await response.json() : undefined
        return typeof answer === 'object' && answer !== null && 'registry' in answer ? undefined : NO_REGISTRY
      } catch {
        // No response or no JSON: the page is served by a plain file server.
        return NO_REGISTRY
      }
    },
  }
}
