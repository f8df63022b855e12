const PIECES_PER_CHUNK = 32_768

/**
 * Joins very many pieces. `+=` alone would keep a tree of them alive, one plain array a pointer for each: millions of pieces
 * (one for each match in a large file) would cost more memory than the text itself.
 */
export interface ChunkedText {
  /** Code units so far. */
  length(): number
  push(piece: string): void
  join(): string
}

export function chunkedText(): ChunkedText {
  const chunks: string[] = []
  let pieces: string[] = []
  let length = 0
  return {
    length: () => length,
    push(piece) {
      if (piece === '') return
      length += piece.length
      pieces.push(piece)
      if (pieces.length < PIECES_PER_CHUNK) return
      chunks.push(pieces.join(''))
      pieces = []
    },
    join: () => chunks.join('') + pieces.join(''),
  }
}
