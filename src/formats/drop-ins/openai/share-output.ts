import { headTail, streamNote } from '../../../ops/truncate.js'
import { utf8Length } from '../../../ops/utf8.js'
import type { OpenAiShellOutput } from './types.js'

/** Shorter ones have no room for the note of what was cut. */
const MIN_NOTE = 64

/**
 * All streams in `room` bytes together, so in no more characters than that: what is short stays whole, and the others are cut in their
 * middle, each to the same length.
 */
export function shareOutput(outputs: readonly OpenAiShellOutput[], room: number): OpenAiShellOutput[] {
  const lengths = outputs.flatMap(({ stdout, stderr }) => [utf8Length(stdout), utf8Length(stderr)])
  const most = longest(lengths, Math.max(0, room))
  const cut = (text: string): string => headTail(text, most, most < MIN_NOTE ? () => '' : streamNote).text
  return outputs.map(({ stdout, stderr, outcome }) => ({ stdout: cut(stdout), stderr: cut(stderr), outcome }))
}

/** How long each may be so that all fit. */
function longest(lengths: readonly number[], room: number): number {
  let left = room
  const ascending = [...lengths].sort((a, b) => a - b)
  for (const [i, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}
