const PIECES_PER_CHUNK = 32_768

/**
 * Joins a very large number of pieces. `+=` alone would keep a tree of all pieces in memory, and an array needs one pointer per piece.
 * Millions of pieces (one per match in a large file) would need more memory than the text.
 */
export interface ChunkedText {
  /** Number of code units. */
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
