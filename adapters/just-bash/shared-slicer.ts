import type { Host } from '../../src/types/host.js'
import { Slicer } from '../../src/workspace/slicer.js'

/**
 * When what runs in one shell gives way to the event loop: all of it together, or each would take a slice of its own before a timer is let
 * through.
 */
export class SharedSlicer {
  readonly #slicer: Slicer
  #pause: Promise<void> | undefined

  constructor(host: Pick<Host, 'now' | 'yield'>) {
    this.#slicer = new Slicer(host)
  }

  /** Something to wait for, when it is time; `steps` is about how many microseconds of work were done since the last question. */
  due(steps?: number): Promise<void> | undefined {
    if (this.#pause) return this.#pause
    if (!this.#slicer.due(steps)) return undefined
    this.#pause = this.#slicer.pause().finally(() => {
      this.#pause = undefined
    })
    return this.#pause
  }
}
