import { ShellError } from '../errors/index.js'
import { PendingInput } from '../ops/pending-input.js'
import { utf8Length } from '../ops/utf8.js'
import type { ShellProcess } from '../types/shell.js'
import type { Life } from './process-lifetime.js'

/** Writes to a process in the order of the calls. */
export interface SessionInput {
  /** Writes a text. Returns the number of UTF-8 bytes written. @throws {ShellError} not_running, input_full */
  write(text: string): Promise<number>
  /** @throws {ShellError} not_running */
  close(): Promise<void>
}

/** Creates the input of a session. `id` names the session in errors. */
export function createSessionInput(id: string, process: ShellProcess, life: Life): SessionInput {
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  const pending = new PendingInput()

  const refusal = (why: string): ShellError => new ShellError('not_running', `Cannot write to session "${id}": ${why}`)
  const check = (): void => {
    if (!life.running) throw refusal('it has ended')
    if (closed) throw refusal('its input is closed')
  }

  const inTurn = async (job: () => Promise<void>): Promise<void> => {
    check()
    const done = last.then(() => {
      check()
      return settledOrEnded(job(), life.ended)
    })
    last = done.catch(() => {})
    return done
  }

  return {
    async write(text) {
      check()
      const write = (): Promise<void> =>
        inTurn(async () => {
          if (text !== '') await process.write(text)
        })
      await pending.hold(text, write)
      return utf8Length(text)
    },
    close: () =>
      inTurn(async () => {
        closed = true
        await process.closeInput?.()
      }),
  }
}

/**
 * Waits for the work or for the end of the process. The input may end the process (`exit`, Ctrl+C), or the process may never read it.
 *
 * @throws the error of the work, if it fails first
 */
function settledOrEnded(work: Promise<void>, ended: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => resolve()
    ended.addEventListener('abort', onEnd, { once: true })
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', onEnd))
  })
}
