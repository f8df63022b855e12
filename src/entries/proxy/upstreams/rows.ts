import { LONGEST } from '../../../tools/web/providers/provider.js'
import type { ProxiedRow } from '../../../tools/web/providers/proxied.js'
import { cleanText, cleanUrl, elements, record } from '../../../tools/web/untrusted.js'

/** What the fields of a row are called by a service. */
export interface RowFields {
  readonly display?: string
  readonly date?: string
}

/** The rows of a service that gives `title`, `link` and `snippet`, as the proxy gives them. */
export function toRows(list: unknown, most: number, { display = '', date = '' }: RowFields): readonly ProxiedRow[] {
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
