import { exa } from './exa.js'
import type { SearchProvider, SearchProviderName } from './provider.js'
import { proxiedRequest, proxiedResults } from './proxied.js'

/** A service that is reached only through a proxy. The proxy returns the results of all such services in the same shape. */
const proxied = (name: SearchProviderName): SearchProvider => ({
  name,
  toRequest: (search) => ({ ...proxiedRequest(search) }),
  parseResponse: proxiedResults,
})

export const PROVIDERS: Readonly<Record<SearchProviderName, SearchProvider>> = {
  google: proxied('google'),
  serper: proxied('serper'),
  exa,
}
