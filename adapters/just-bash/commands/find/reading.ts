import type { CommandContext } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { zoneOf } from '../shared/time/zone.js'
import type { Test } from './expression.js'
import type { Launcher } from './launch.js'
import type { Output } from './output.js'
import type { WalkOptions } from './walk.js'

/** What the predicates are read with, one after the other. */
export interface Reading {
  readonly context: CommandContext
  readonly output: Output
  readonly launcher: Launcher
  readonly options: WalkOptions
  readonly now: number
  regexType: string
  /** `-daystart`: what times are counted from; undefined: now. */
  dayEnd: number | undefined
  warns: boolean
  /** An action makes the print that is left out unneeded. */
  hasAction: boolean
  deletes: boolean
  prunes: boolean
  /** `-depth` itself was given. */
  asksDepth: boolean
  /** The first test or action: options behind it are late. */
  first: string | undefined
}

/** Reads a predicate of this name; `next` takes its arguments. */
export type Reader = (reading: Reading, next: Arguments, predicate: string) => Test | Promise<Test>

/** Predicates of GNU find that this one names and refuses. */
export const REFUSED: Set<Reader> = new Set()

/** The words behind a predicate. */
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

  /** @throws {Failure} missing argument */
  value(predicate: string): string {
    const value = this.#words[this.#at++]
    if (value === undefined) throw new Failure(`missing argument to \`${predicate}'`)
    return value
  }
}

export const zoneFor = ({ context }: Reading): ReturnType<typeof zoneOf> => zoneOf(context.env)
