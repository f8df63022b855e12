import { writeSync } from 'node:fs'
import { CHANNEL_FD, type ChildMessage, MAX_MESSAGE } from './task.js'

const PAUSE_MS = 1

/**
 * Sends a message. Returns when the message is written, or if the parent no longer reads.
 *
 * @throws {RangeError} if the message is too long; {TypeError} if it cannot become JSON
 */
export function send(message: ChildMessage): void {
  const text = `${JSON.stringify(message)}\n`
  if (text.length > MAX_MESSAGE) {
    throw new RangeError(`It has ${text.length} characters as JSON, and ${MAX_MESSAGE} at the most can be handed over`)
  }
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += write(bytes.subarray(at))
}

function write(bytes: Buffer): number {
  try {
    return writeSync(CHANNEL_FD, bytes)
  } catch (error) {
    // The parent no longer reads, so drop the message.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return bytes.length
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    return 0
  }
}
