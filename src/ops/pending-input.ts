import { ShellError } from '../errors/index.js'
import { utf8Length } from './utf8.js'

/** Bytes that may wait for a program to read them. */
export const MAX_PENDING: number = 1024 * 1024

/** Counts what was written to a program and not yet taken: one that never reads would have it queue without end. */
export class PendingInput {
  #bytes = 0

  /**
   * A write as it is made; one of any length where nothing waits. What is refused is not begun.
   *
   * @throws {ShellError} input_full; and what the write throws
   */
  async hold(text: string, write: () => Promise<void>): Promise<void> {
    const bytes = utf8Length(text)
    checkRoom(this.#bytes, bytes)
    this.#bytes += bytes
    try {
      await write()
    } finally {
      this.#bytes -= bytes
    }
  }
}

/** @throws {ShellError} input_full */
export function checkRoom(waiting: number, bytes: number, most: number = MAX_PENDING): void {
  if (waiting === 0 || bytes === 0 || waiting + bytes <= most) return
  throw new ShellError(
    'input_full',
    `Cannot write: the program has not read the last ${waiting} bytes yet, and ${most} at the most may wait: nothing of this was written`,
  )
}
