import { SEARCH_PATHS } from '../../../tools/web/providers/provider.js'
import { secretsIn } from '../../../tools/web/secrets.js'
import { record } from '../../../tools/web/untrusted.js'
import { countField, queryField } from '../fields.js'
import type { Upstream } from '../options.js'
import { toRows } from './rows.js'
import type { UpstreamService } from './upstream.js'

const MOST = 100

export function serper({ url, key }: Upstream): UpstreamService {
  return {
    path: SEARCH_PATHS.serper,
    name: 'serper',
    url,
    secrets: secretsIn({ key }),
    read(body) {
      const query = queryField(body.query)
      const count = countField(body.max_results, 'max_results', { most: MOST, byDefault: 5 })
      return {
        key: { query, count },
        request: {
          url,
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json', 'x-api-key': key },
          body: JSON.stringify({ q: query, num: count }),
        },
        shape: (answer) => {
          const organic = record(answer)?.organic
          if (!Array.isArray(organic)) return undefined
          return { query, results: toRows(organic, count, { date: 'date' }).map((row) => ({ ...row })) }
        },
      }
    },
  }
}
