import type { Host } from '../../src/types/host.js'
import { Slicer } from '../../src/workspace/slicer.js'

/**
 * Shares one time slice between everything that runs in a shell. If each part had its own slice, the slices would add up before a timer
 * could run.
 */
export class SharedSlicer {
  readonly #slicer: Slicer
  #pause: Promise<void> | undefined

  constructor(host: Pick<Host, 'now' | 'yield'>) {
    this.#slicer = new Slicer(host)
  }

  /** Returns a promise to await if it is time to yield. `steps`: approximate microseconds of work since the last call. */
  due(steps?: number): Promise<void> | undefined {
    if (this.#pause) return this.#pause
    if (!this.#slicer.due(steps)) return undefined
    this.#pause = this.#slicer.pause().finally(() => {
      this.#pause = undefined
    })
    return this.#pause
  }
}
