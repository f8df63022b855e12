import type { Readable } from 'node:stream'

/** The environment of a process cannot be larger than half of it; what a shell keeps beside it can, and is not known then. */
const MAX_REPORT_BYTES = 4 * 1024 * 1024

/** Reading from one pipe of a process. */
export interface Tap {
  /** Nothing more will come. Never rejects. */
  readonly ended: Promise<void>
  /** Stops reading. */
  close(): void
}

/** Hands on what comes, decoded piece by piece: a character may be cut in two by the pipe. */
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

/** Collects the beginning of a report; it has ended when it is complete, although somebody may still hold the pipe. */
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
    // An error of a pipe is its end: `close` follows.
    pipe.on('error', () => {})
    pipe.once('close', () => {
      atEnd()
      resolve()
    })
  })
}
