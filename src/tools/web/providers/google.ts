import type { SearchProvider } from './provider.js'
import { proxiedRequest, proxiedResults } from './proxied.js'

/** Google's custom search. */
export const google: SearchProvider = {
  name: 'google',
  toRequest: (search) => ({ ...proxiedRequest(search) }),
  parseResponse: proxiedResults,
}
