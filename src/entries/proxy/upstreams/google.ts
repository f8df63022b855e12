import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { record } from '../../../tools/web/untrusted.js'
import type { ProxyOptions } from '../options.js'
import { rowService } from './row-service.js'
import type { UpstreamService } from './upstream.js'

export function google({ url, key, engine }: NonNullable<ProxyOptions['google']>): UpstreamService {
  return rowService({
    path: SEARCH_PATHS.google,
    name: 'google',
    url,
    key,
    most: 10,
    fields: { display: 'displayLink' },
    toRequest(query, count) {
      const address = new URL(url)
      for (const [name, value] of Object.entries({ key, cx: engine, q: query, num: String(count) })) address.searchParams.set(name, value)
      return { url: address.href, headers: { accept: 'application/json' } }
    },
    rowsOf(answer) {
      // Without results there is no "items".
      const items = record(answer)?.items ?? []
      return record(answer) && Array.isArray(items) ? items : undefined
    },
  })
}
