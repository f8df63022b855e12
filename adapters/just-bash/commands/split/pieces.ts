export interface Chunks {
  readonly by: 'bytes' | 'lines' | 'turns'
  readonly count: number
  /** The number of the one that is wanted, from 1. */
  readonly only: number | undefined
}

/** So many parts; with `lines` a line is in that one in which it begins. */
export function chunked(data: string, { by, count }: Chunks, end: string): string[] {
  if (by === 'turns') {
    const parts = Array.from({ length: count }, (): string[] => [])
    for (const [i, line] of linesWithEnds(data, end).entries()) parts[i % count]?.push(line)
    return parts.map((part) => part.join(''))
  }
  const size = by === 'bytes' ? Math.max(1, Math.floor(data.length / count)) : Math.floor(data.length / count)
  const pieces: string[] = []
  let at = 0
  for (let number = 1; number <= count; number++) {
    const border = number === count ? data.length : number * size
    let to = Math.max(at, Math.min(border, data.length))
    if (by === 'lines' && to > at) {
      const found = data.indexOf(end, to - 1)
      to = found < 0 ? data.length : found + 1
    }
    pieces.push(data.slice(at, to))
    at = to
  }
  return pieces
}

/** So many lines each, or as many whole lines as go into so many bytes: a longer one is cut. */
export function piecesOfLines(data: string, end: string, way: { readonly lines: number } | { readonly bytes: number }): string[] {
  const pieces: string[] = []
  let [held, count] = ['', 0]
  const close = (): void => {
    if (held !== '') pieces.push(held)
    held = ''
    count = 0
  }
  for (const line of linesWithEnds(data, end)) {
    let rest = line
    if ('bytes' in way) {
      if (held.length + rest.length > way.bytes) close()
      for (; rest.length > way.bytes; rest = rest.slice(way.bytes)) pieces.push(rest.slice(0, way.bytes))
    } else if (count === way.lines) close()
    held += rest
    count++
  }
  close()
  return pieces
}

function linesWithEnds(data: string, end: string): string[] {
  const lines = data.split(end)
  const last = lines.pop() as string
  return [...lines.map((line) => line + end), ...(last === '' ? [] : [last])]
}
