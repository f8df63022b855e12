import type { SearchProvider } from './provider.js'
import { proxiedRequest, proxiedResults } from './proxied.js'

/** Google's results by way of Serper. */
export const serper: SearchProvider = {
  name: 'serper',
  toRequest: (search) => ({ ...proxiedRequest(search) }),
  parseResponse: proxiedResults,
}
