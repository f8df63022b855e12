import { systemHost } from '../../../../src/host.js'
import type { Host } from '../../../../src/types/host.js'
import { Slicer } from '../../../../src/workspace/slicer.js'
import type { CommandContext } from './command.js'

/** The script is to end: thrown out of a command's work. */
export class Stopped extends Error {}

export const hostOf = (context: CommandContext): Host => context.host ?? systemHost

/** Lets a command's long work give way to the event loop, and ends it when the script is stopped. */
export class Pace {
  readonly #context: CommandContext
  readonly #slicer: Slicer

  constructor(context: CommandContext) {
    this.#context = context
    this.#slicer = new Slicer(hostOf(context))
  }

  /** `steps` is about how many microseconds of work were done since the last one. @throws {Stopped} */
  async turn(steps = 1): Promise<void> {
    if (!this.#slicer.due(steps)) return
    await this.#slicer.pause()
    if (isStopped(this.#context)) throw new Stopped()
  }
}

/** A stop shows in the signal, or in that there is no work left. The limits that a command of ours is given are a copy: they tell nothing. */
export function isStopped({ signal, executionScope }: CommandContext): boolean {
  if (signal?.aborted) return true
  try {
    executionScope?.consumeWork(1)
    return false
  } catch {
    return true
  }
}
