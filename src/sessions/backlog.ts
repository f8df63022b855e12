import { createRingBuffer } from '../ops/ring-buffer.js'
import type { ShellOutput } from '../types/shell.js'

/** The last output as it came, for a screen that is opened later. */
export interface Backlog {
  push(output: ShellOutput): void
  /** The oldest first; neighbours of the same stream are one. */
  all(): readonly ShellOutput[]
}

const CAPACITY = 64 * 1024

/** Keeps 64 Ki characters of both streams together, in the order in which they came. */
export function createBacklog(): Backlog {
  const ring = createRingBuffer(CAPACITY)
  /** Whether the character at a position is one of stderr. Made with the first output: many sessions print little or nothing. */
  let isError: Uint8Array | undefined
  return {
    push({ stream, text }) {
      const length = Math.min(text.length, CAPACITY)
      const first = (ring.end + text.length - length) % CAPACITY
      const mark = stream === 'stderr' ? 1 : 0
      isError ??= new Uint8Array(CAPACITY)
      isError.fill(mark, first, first + length).fill(mark, 0, Math.max(0, first + length - CAPACITY))
      ring.push(text)
    },
    all() {
      const runs: ShellOutput[] = []
      for (let from = ring.start; from < ring.end; ) {
        const mark = isError?.[from % CAPACITY]
        let end = from + 1
        while (end < ring.end && isError?.[end % CAPACITY] === mark) end++
        runs.push({ stream: mark === 1 ? 'stderr' : 'stdout', text: ring.read(from, end - from).text })
        from = end
      }
      return runs
    },
  }
}
