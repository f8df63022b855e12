import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { record } from '../../../tools/web/untrusted.js'
import type { Upstream } from '../options.js'
import { rowService } from './row-service.js'
import type { UpstreamService } from './upstream.js'

export function serper({ url, key }: Upstream): UpstreamService {
  return rowService({
    path: SEARCH_PATHS.serper,
    name: 'serper',
    url,
    key,
    most: 100,
    fields: { date: 'date' },
    toRequest: (query, count) => ({
      url,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ q: query, num: count }),
    }),
    rowsOf(answer) {
      const organic = record(answer)?.organic
      return Array.isArray(organic) ? organic : undefined
    },
  })
}
