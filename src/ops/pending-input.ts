import { ShellError } from '../errors/index.js'
import { utf8Length } from './utf8.js'

/** Maximum bytes of unread input. */
export const MAX_PENDING: number = 1024 * 1024

/** Limits the unread input of a program, because input for a program that never reads would fill the memory. */
export class PendingInput {
  #bytes = 0

  /**
   * Runs a write and counts its bytes until it ends. A write of any length is allowed if nothing is unread. A rejected write does not
   * start.
   *
   * @throws {ShellError} input_full; errors of the write
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
    `Cannot write: the program has ${waiting} bytes of unread input, and the limit is ${most}. Nothing was written`,
  )
}
