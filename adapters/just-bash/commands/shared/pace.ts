import { systemHost } from '../../../../src/host.js'
import type { Host } from '../../../../src/types/host.js'
import { Slicer } from '../../../../src/workspace/slicer.js'
import type { CommandContext } from './command.js'

/** Thrown inside a command when the script must end. */
export class Stopped extends Error {}

export const hostOf = (context: CommandContext): Host => context.host ?? systemHost

/** Lets a long-running command yield to the event loop. Ends the command when the script is stopped. */
export class Pace {
  readonly #context: CommandContext
  readonly #slicer: Slicer

  constructor(context: CommandContext) {
    this.#context = context
    this.#slicer = new Slicer(hostOf(context))
  }

  /** Yields if it is time. `steps`: approximate microseconds of work since the last call. @throws {Stopped} */
  async turn(steps = 1): Promise<void> {
    if (!this.#slicer.due(steps)) return
    await this.#slicer.pause()
    if (isStopped(this.#context)) throw new Stopped()
  }
}

/** Whether the script is stopped: the signal is aborted, or the budget is used up. The command's own copy of the limits does not change. */
export function isStopped({ signal, executionScope }: CommandContext): boolean {
  if (signal?.aborted) return true
  try {
    executionScope?.consumeWork(1)
    return false
  } catch {
    return true
  }
}
