import type { Readable } from 'node:stream'

/**
 * Maximum size of a report. The environment of a process takes at most half of this. If the other state of a shell exceeds the limit, the
 * state is not reported.
 */
const MAX_REPORT_BYTES = 4 * 1024 * 1024

/** A reader of one pipe of a process. */
export interface Tap {
  /** Resolves when the pipe has ended. Never rejects. */
  readonly ended: Promise<void>
  /** Stops reading the pipe. */
  close(): void
}

/** Decodes a pipe as a stream, because a character may be split between two chunks. */
export function readText(pipe: Readable, onText: (text: string) => void): Tap {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const tell = (text: string): void => {
    if (text !== '') onText(text)
  }
  let open = true
  const finish = (): void => {
    if (open) tell(decoder.decode())
    open = false
  }
  pipe.on('data', (chunk: Buffer) => {
    if (open) tell(decoder.decode(chunk, { stream: true }))
  })
  return {
    ended: ending(pipe, finish),
    close() {
      finish()
      pipe.destroy()
    },
  }
}

/** Collects a report up to the limit. The report ends at its end mark, even if another process still holds the pipe open. */
export function readReport(pipe: Readable): Tap & { bytes(): Buffer } {
  const chunks: Buffer[] = []
  let size = 0
  let last = Buffer.alloc(0)
  let complete = (): void => {}
  pipe.on('data', (chunk: Buffer) => {
    if (size < MAX_REPORT_BYTES) chunks.push(chunk)
    size += chunk.length
    last = Buffer.concat([last, chunk]).subarray(-2)
    if (last.length === 2 && last.readUInt16BE() === 0) complete()
  })
  return {
    bytes: () => Buffer.concat(chunks),
    ended: Promise.race([ending(pipe, () => {}), new Promise<void>((resolve) => (complete = resolve))]),
    close: () => void pipe.destroy(),
  }
}

function ending(pipe: Readable, atEnd: () => void): Promise<void> {
  return new Promise((resolve) => {
    // `close` follows an error, so errors need no handling.
    pipe.on('error', () => {})
    pipe.once('close', () => {
      atEnd()
      resolve()
    })
  })
}
