import type { CommandContext } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { zoneOf } from '../shared/time/zone.js'
import type { Test } from './expression.js'
import type { Launcher } from './launch.js'
import type { Output } from './output.js'
import type { WalkOptions } from './walk.js'

/** State of the parser, which reads the predicates in order. */
export interface Reading {
  readonly context: CommandContext
  readonly output: Output
  readonly launcher: Launcher
  readonly options: WalkOptions
  readonly now: number
  regexType: string
  /** The end of today if `-daystart` is given: times are measured from it. Undefined: times are measured from now. */
  dayEnd: number | undefined
  warns: boolean
  /** Whether an action replaces the implicit `-print`. */
  hasAction: boolean
  deletes: boolean
  prunes: boolean
  /** Whether `-depth` was given explicitly. */
  asksDepth: boolean
  /** Name of the first test or action. Global options after it cause a warning. */
  first: string | undefined
}

/** Parses a predicate and takes its arguments from `next`. */
export type Reader = (reading: Reading, next: Arguments, predicate: string) => Test | Promise<Test>

/** Readers of GNU predicates that this shell knows but rejects. */
export const REFUSED: Set<Reader> = new Set()

/** The arguments after a predicate. */
export class Arguments {
  readonly #words: readonly string[]
  #at: number

  constructor(words: readonly string[], at: number) {
    this.#words = words
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  get rest(): readonly string[] {
    return this.#words.slice(this.#at)
  }

  skip(count: number): void {
    this.#at += count
  }

  /** @throws {Failure} if the argument is missing */
  value(predicate: string): string {
    const value = this.#words[this.#at++]
    if (value === undefined) throw new Failure(`missing argument to \`${predicate}'`)
    return value
  }
}

export const zoneFor = ({ context }: Reading): ReturnType<typeof zoneOf> => zoneOf(context.env)
