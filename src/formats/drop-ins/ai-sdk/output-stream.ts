import { ShellError } from '../../../errors/index.js'
import { encodeUtf8 } from '../../../ops/utf8.js'

/** Maximum number of unread bytes. */
const MAX_WAITING = 16 * 1024 * 1024

/** The output of a process as a stream. Writing does not wait for the reader. */
export interface OutputStream {
  readonly readable: ReadableStream<Uint8Array>
  push(text: string): void
  /** Ends the stream. */
  end(): void
}

/** Creates the stream. Reading fails if more than `maxWaiting` bytes are unread, because the reader would not notice missing output. */
export function createOutputStream(name: string, maxWaiting: number = MAX_WAITING): OutputStream {
  let waiting: Uint8Array[] = []
  let size = 0
  let isEnded = false
  let isCancelled = false
  let lost: ShellError | undefined
  let wake: (() => void) | undefined

  const readable = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (waiting.length === 0 && !isEnded && !lost) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        if (lost) throw lost
        for (const piece of waiting) controller.enqueue(piece)
        waiting = []
        size = 0
        if (isEnded) controller.close()
      },
      async cancel() {
        isCancelled = true
        waiting = []
        wake?.()
      },
    },
    { highWaterMark: 0 },
  )

  return {
    readable,
    push(text) {
      if (text === '' || isCancelled || isEnded || lost) return
      const piece = encodeUtf8(text)
      waiting.push(piece)
      size += piece.length
      if (size > maxWaiting) {
        lost = new ShellError(
          'not_running',
          `Cannot read ${name}: more than ${maxWaiting} bytes waited unread. Read it while the process runs.`,
        )
        waiting = []
      }
      wake?.()
    },
    end() {
      isEnded = true
      wake?.()
    },
  }
}
