import { joinBytes } from './bytes.js'
import type { Steps } from './steps.js'
import { codePointBoundary, decodeUtf8, encodeUtf8, hasLoneSurrogate } from './utf8.js'

/** Units decoded or encoded in one step, which takes about 3 ms. */
const STEP_SIZE = 512 * 1024

/** Runs `decodeUtf8` in steps. */
export function* decodeSteps(bytes: Uint8Array): Steps<string | undefined> {
  if (bytes.length <= STEP_SIZE) return decodeUtf8(bytes)
  const stream = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += STEP_SIZE) {
      pieces.push(stream.decode(bytes.subarray(at, at + STEP_SIZE), { stream: at + STEP_SIZE < bytes.length }))
      yield
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
  return pieces.join('')
}

/** Runs `encodeUtf8` in steps; undefined for a text with a lone surrogate. */
export function* encodeSteps(text: string): Steps<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < text.length; ) {
    const end = codePointBoundary(text, at + STEP_SIZE)
    const piece = text.slice(at, end)
    if (hasLoneSurrogate(piece)) return undefined
    const encoded = encodeUtf8(piece)
    if (piece.length === text.length) return encoded
    pieces.push(encoded)
    at = end
    yield
  }
  return joinBytes(pieces)
}
