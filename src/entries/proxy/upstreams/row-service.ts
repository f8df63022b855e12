import { LONGEST } from '../../../tools/web/providers/provider.js'
import type { ProxiedRow } from '../../../tools/web/providers/proxied.js'
import { secretsIn } from '../../../tools/web/secrets.js'
import { cleanText, cleanUrl, elements, record } from '../../../tools/web/untrusted.js'
import type { FetchRequest } from '../../../types/ports.js'
import { countField, queryField } from '../fields.js'
import type { UpstreamService } from './upstream.js'

/** A service that gives a list of rows with `title`, `link` and `snippet`. */
interface RowService extends Pick<UpstreamService, 'path' | 'name' | 'url'> {
  readonly key: string
  /** Rows of one search at the most. */
  readonly most: number
  readonly fields: RowFields
  toRequest(query: string, count: number): FetchRequest
  /** The list in the service's answer; undefined where it is none. */
  rowsOf(answer: unknown): readonly unknown[] | undefined
}

const DEFAULT_COUNT = 5

/** Takes `query` and `max_results`, gives the rows as the proxy has them. */
export function rowService({ path, name, url, key, most, fields, toRequest, rowsOf }: RowService): UpstreamService {
  return {
    path,
    name,
    url,
    secrets: secretsIn({ key }),
    read(body) {
      const query = queryField(body.query)
      const count = countField(body.max_results, 'max_results', { most, byDefault: DEFAULT_COUNT })
      return {
        key: { query, count },
        request: toRequest(query, count),
        shape(answer) {
          const rows = rowsOf(answer)
          return rows && { query, results: toRows(rows, count, fields).map((row) => ({ ...row })) }
        },
      }
    },
  }
}

/** What the fields of a row are called by a service. */
interface RowFields {
  readonly display?: string
  readonly date?: string
}

/** The rows of a service that gives `title`, `link` and `snippet`, as the proxy gives them. */
function toRows(list: unknown, most: number, { display = '', date = '' }: RowFields): readonly ProxiedRow[] {
  const rows = elements(list, most).flatMap((element) => {
    const row = record(element)
    const url = cleanUrl(row?.link)
    if (!row || url === undefined) return []
    const display_link = cleanText(row[display], LONGEST.title)
    const published_date = cleanText(row[date], LONGEST.short)
    return [
      {
        title: cleanText(row.title, LONGEST.title) || url,
        url,
        snippet: cleanText(row.snippet, LONGEST.snippet),
        ...(display_link && { display_link }),
        ...(published_date && { published_date }),
      },
    ]
  })
  return rows.map((row, index) => ({ ...row, rank: index + 1 }))
}
