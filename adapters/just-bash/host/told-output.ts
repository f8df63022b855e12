import type { ShellOutput } from '../../../src/types/shell.js'
import type { Line } from '../../shared/worker/line.js'

/** Characters that may be on the way. A listener that is slower than a flood of output would have to keep it all. */
const MAX_ON_THE_WAY = 1024 * 1024

/**
 * The output of a command on its way to the other side. What comes in one go is told together, and told before anything else runs: the
 * next command may be one that never gives way.
 */
export class ToldOutput {
  readonly #line: Line
  #waiting: ShellOutput[] = []
  #onTheWay = 0
  #resume: (() => void)[] = []

  constructor(line: Line) {
    this.#line = line
  }

  readonly push = (output: ShellOutput): void => {
    const last = this.#waiting.at(-1)
    if (!last) queueMicrotask(this.flush)
    if (last?.stream === output.stream) this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + output.text }
    else this.#waiting.push(output)
  }

  readonly flush = (): void => {
    if (this.#waiting.length === 0) return
    for (const { text } of this.#waiting) this.#onTheWay += text.length
    this.#line.tell('output', this.#waiting)
    this.#waiting = []
  }

  /** The other side has dealt with so many characters. */
  taken(characters: number): void {
    this.#onTheWay -= characters
    if (this.#onTheWay <= MAX_ON_THE_WAY) for (const resume of this.#resume.splice(0)) resume()
  }

  /** Resolves when there is room for more. */
  room(): Promise<void> | undefined {
    return this.#onTheWay <= MAX_ON_THE_WAY ? undefined : new Promise((resolve) => this.#resume.push(resolve))
  }
}
