/**
 * Parses a `Range` header with one range: the first and the last byte. `none`: answer with the whole file, because the header is absent,
 * has another unit or names several ranges. `invalid`: the range contains no byte of the file (416).
 */
export function parseRange(header: string | null, size: number): { readonly first: number; readonly last: number } | 'none' | 'invalid' {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return 'none'
  if (from === '') return Number(to) === 0 || size === 0 ? 'invalid' : { first: Math.max(0, size - Number(to)), last: size - 1 }
  if (to !== '' && Number(to) < Number(from)) return 'none'
  return Number(from) >= size ? 'invalid' : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
