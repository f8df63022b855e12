import type { FetchAdapter } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'

/** Where packages come from. */
export interface PackageSource {
  /** Address of the registry. */
  readonly registry: string
  readonly fetch: FetchAdapter
  /** What keeps packages from being had, in words for whoever reads the page; undefined: nothing. Never rejects. */
  missing(): Promise<string | undefined>
}

const MIB = 1024 * 1024

/** Of one answer: a description of a package with thousands of versions is long. */
const MAX_BYTES = 64 * MIB
const TIMEOUT_MS = 120_000

export const NO_REGISTRY =
  'This page is served without a package registry. Start it with “npm start”: that passes what is asked for at registry/ on to the registry that npm is set to.'

/** The pass-through of the page's own server, which answers for itself at its root. */
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
        // No answer, or one that is no JSON: a server of files.
        return NO_REGISTRY
      }
    },
  }
}
