import { Printout } from '../shared/bulk.js'
import type { CommandContext } from '../shared/command.js'
import type { Failure } from '../shared/failure.js'

/** The concatenated lines of several files. */
export class SedInput {
  /** Number of the last line read. */
  line = 0
  name = '-'
  /** Whether the last line read had no line break. */
  unended = false
  readonly #files: readonly SedFile[]
  readonly #end: string
  readonly #fail: (failure: Failure) => void
  #file = 0
  #at = 0

  /** @param fail called with the error of a file that cannot be read, when reading arrives at this file */
  constructor(files: readonly SedFile[], end: string, fail: (failure: Failure) => void) {
    this.#files = files
    this.#end = end
    this.#fail = fail
  }

  next(): string | undefined {
    this.#skipEnded()
    const file = this.#files[this.#file]
    if (!file) return undefined
    const { text, name } = file
    const stop = text.indexOf(this.#end, this.#at)
    const line = text.slice(this.#at, stop < 0 ? text.length : stop)
    this.#at = stop < 0 ? text.length : stop + 1
    this.unended = stop < 0
    this.name = name
    this.line++
    return line
  }

  isLast(): boolean {
    this.#skipEnded()
    return this.#file >= this.#files.length
  }

  #skipEnded(): void {
    for (let file = this.#files[this.#file]; file && this.#at >= file.text.length; file = this.#files[this.#file]) {
      if (file.failure) this.#fail(file.failure)
      this.#file++
      this.#at = 0
    }
  }
}

export interface SedFile {
  readonly name: string
  readonly text: string
  readonly failure?: Failure | undefined
}

/** An output of the program. If a line has no line break, it gets one as soon as more output follows. */
export class SedOutput {
  readonly #out: Printout
  readonly #end: string
  #unended = false

  constructor(context: CommandContext, end: string) {
    this.#out = new Printout(context)
    this.#end = end
  }

  line(text: string, unended = false): void {
    this.raw(text)
    if (unended) this.#unended = true
    else this.#out.put(this.#end)
  }

  raw(text: string): void {
    if (this.#unended) this.#out.put(this.#end)
    this.#unended = false
    if (text !== '') this.#out.put(text)
  }

  text(): string {
    return this.#out.text()
  }
}
