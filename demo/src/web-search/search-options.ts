import type { LoafOptions } from 'toolport/presets/loaf'
import type { LoomOptions } from 'toolport/presets/loom'
import type { StandardOptions } from 'toolport/presets/standard'
import { SERVICES, type SearchProxy } from './proxy-store.js'

/** Options of the preset `standard` to search the web through a proxy. Each preset has its own function, because the options differ. */
export function standardSearch({ address, services, ...proxy }: SearchProxy): Pick<StandardOptions, 'webSearch'> {
  const provider = SERVICES.find((one) => services.includes(one))
  return provider ? { webSearch: { provider, baseUrl: address, ...headersOf(proxy) } } : {}
}

export const loomSearch = ({ address, ...proxy }: SearchProxy): LoomOptions => ({ webSearch: { baseUrl: address, ...headersOf(proxy) } })

/** Without `headers`, loaf would expect an API key of Exa. */
export const loafSearch = ({ address, ...proxy }: SearchProxy): Pick<LoafOptions, 'exa'> => ({
  exa: { url: `${address}/proxy/exa`, headers: {}, ...headersOf(proxy) },
})

function headersOf({ token }: Pick<SearchProxy, 'token'>): { readonly headers?: { readonly authorization: string } } {
  return token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }
}
