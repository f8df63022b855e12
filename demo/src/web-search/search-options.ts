import type { LoafOptions } from 'toolport/presets/loaf'
import type { LoomOptions } from 'toolport/presets/loom'
import type { StandardOptions } from 'toolport/presets/standard'
import { SERVICES, type SearchProxy } from './proxy-store.js'

/** What each preset takes to search the web through a proxy. A function for one preset, as they take different things. */
export function standardSearch({ address, services, ...proxy }: SearchProxy): Pick<StandardOptions, 'webSearch'> {
  const provider = SERVICES.find((one) => services.includes(one))
  return provider ? { webSearch: { provider, baseUrl: address, ...headersOf(proxy) } } : {}
}

export const loomSearch = ({ address, ...proxy }: SearchProxy): LoomOptions => ({ webSearch: { baseUrl: address, ...headersOf(proxy) } })

/** No headers at all would mean a key of Exa's own. */
export const loafSearch = ({ address, ...proxy }: SearchProxy): Pick<LoafOptions, 'exa'> => ({
  exa: { url: `${address}/proxy/exa`, headers: {}, ...headersOf(proxy) },
})

function headersOf({ token }: Pick<SearchProxy, 'token'>): { readonly headers?: { readonly authorization: string } } {
  return token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }
}
