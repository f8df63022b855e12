import { textOf } from './bytes.js'
import type { CommandContext } from './command.js'
import type { Report } from './text-io.js'

/** Asks questions on standard error. Reads one answer per line of standard input. */
export class Asker {
  readonly #context: CommandContext
  readonly #report: Report
  #answers: string[] | undefined

  constructor(context: CommandContext, report: Report) {
    this.#context = context
    this.#report = report
  }

  agrees(question: string): boolean {
    this.#report.say(question)
    this.#answers ??= textOf(this.#context.stdin).split('\n')
    return /^\s*[yY]/.test(this.#answers.shift() ?? '')
  }
}
