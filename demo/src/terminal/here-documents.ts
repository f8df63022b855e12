/**
 * Offset after the here-documents that begin at `from`. Undefined if one of them is incomplete. `starts` are their operators as written, in
 * order: `<<EOF`, `<<-'EOF'`.
 */
export function skipDocuments(source: string, from: number, starts: readonly string[]): number | undefined {
  let at = from
  for (const start of starts) {
    const strips = start.startsWith('<<-')
    const delimiter = start.replace(/^<<-?[ \t]*/, '').replace(/['"\\]/g, '')
    let row: string
    do {
      if (at >= source.length) return undefined
      const end = source.indexOf('\n', at)
      row = source.slice(at, end < 0 ? undefined : end)
      at = end < 0 ? source.length : end + 1
    } while ((strips ? row.replace(/^\t+/, '') : row) !== delimiter)
  }
  return at
}
