import type { WebToolsOptions } from 'toolport'
import { readKept, writeKept } from '../kept.js'

/** What a proxy may have behind it. */
export type SearchService = WebToolsOptions['provider']

export const SERVICES: readonly SearchService[] = ['exa', 'google', 'serper']

/** Whom the tools ask that search the web (docs/web-search.md). */
export interface SearchProxy {
  /** Without a slash at the end. */
  readonly address: string
  /** Empty: none is sent. */
  readonly token: string
  /** What it has said that it has. */
  readonly services: readonly SearchService[]
}

/** Where it is kept. The token is only in what is stored when the user has asked for that. */
export interface ProxyStore {
  /** `lacksToken`: it was used with one that was not kept. */
  load(): { readonly proxy: SearchProxy; readonly keepsToken: boolean; readonly lacksToken: boolean } | undefined
  save(proxy: SearchProxy, keepToken: boolean): void
  forget(): void
}

/** In the browser's storage under a key; undefined: nowhere. */
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
