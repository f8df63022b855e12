import type { WebToolsOptions } from 'toolport'
import { readKept, writeKept } from '../kept.js'

/** A search service behind a proxy. */
export type SearchService = WebToolsOptions['provider']

export const SERVICES: readonly SearchService[] = ['exa', 'google', 'serper']

/** The proxy that the web search tools use (docs/web-search.md). */
export interface SearchProxy {
  /** Base URL without a trailing slash. */
  readonly address: string
  /** Empty: no token is sent. */
  readonly token: string
  /** Services that the proxy offers. */
  readonly services: readonly SearchService[]
}

/** Stores the proxy. The token is only stored if the user asks for that. */
export interface ProxyStore {
  /** `lacksToken`: the proxy had a token that was not stored. */
  load(): { readonly proxy: SearchProxy; readonly keepsToken: boolean; readonly lacksToken: boolean } | undefined
  save(proxy: SearchProxy, keepToken: boolean): void
  forget(): void
}

/** Stores the proxy in the browser's storage under the key `at`. Undefined: stores nothing. */
export function createProxyStore(at: string | undefined): ProxyStore {
  return {
    load() {
      const stored = readKept(at, isStored)
      if (!stored) return undefined
      const { hadToken, token = '', address, services } = stored
      return { proxy: { address, token, services }, keepsToken: token !== '', lacksToken: hadToken && token === '' }
    },
    save({ token, ...others }, keepToken) {
      const hadToken = token !== ''
      writeKept(at, keepToken && hadToken ? { ...others, hadToken, token } : { ...others, hadToken })
    },
    forget() {
      writeKept(at, undefined)
    },
  }
}

type Stored = Omit<SearchProxy, 'token'> & { readonly hadToken: boolean; readonly token?: string }

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  const { address, services, hadToken, token } = value as Readonly<Record<string, unknown>>
  return (
    typeof address === 'string' &&
    /^https?:/.test(address) &&
    URL.canParse(address) &&
    Array.isArray(services) &&
    services.every((one) => SERVICES.includes(one)) &&
    typeof hadToken === 'boolean' &&
    (token === undefined || typeof token === 'string')
  )
}
