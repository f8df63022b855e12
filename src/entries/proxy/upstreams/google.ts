import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { secretsIn } from '../../../tools/web/secrets.js'
import { record } from '../../../tools/web/untrusted.js'
import { countField, queryField } from '../fields.js'
import type { ProxyOptions } from '../options.js'
import { toRows } from './rows.js'
import type { UpstreamService } from './upstream.js'

const MOST = 10

export function google({ url, key, engine }: NonNullable<ProxyOptions['google']>): UpstreamService {
  return {
    path: SEARCH_PATHS.google,
    name: 'google',
    url,
    secrets: secretsIn({ key }),
    read(body) {
      const query = queryField(body.query)
      const count = countField(body.max_results, 'max_results', { most: MOST, byDefault: 5 })
      const address = new URL(url)
      for (const [name, value] of Object.entries({ key, cx: engine, q: query, num: String(count) })) address.searchParams.set(name, value)
      return {
        key: { query, count },
        request: { url: address.href, headers: { accept: 'application/json' } },
        // Without results there is no "items".
        shape: (answer) => {
          const items = record(answer)?.items ?? []
          if (!record(answer) || !Array.isArray(items)) return undefined
          return { query, results: toRows(items, count, { display: 'displayLink' }).map((row) => ({ ...row })) }
        },
      }
    },
  }
}
