import type { Printout } from '../shared/bulk.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'
import type { Report } from '../shared/text-io.js'
import type { TarRun } from './options.js'

/** What a run has said so far. */
export interface Told {
  readonly out: Printout
  readonly report: Report
  failed: boolean
  /** What was cut off from names. */
  readonly leads: Set<string>
}

export interface Work extends TarRun {
  readonly context: CommandContext
  readonly pace: Pace
  readonly told: Told
}

/** The program that unpacks for tar says what it finds, and tar goes by its status. */
export class GzipFault extends Failure {
  constructor(message: string) {
    super(`\ngzip: stdin: ${message}\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now`, 2)
  }
}

/** One file failed, and the others go on. */
export function complain({ told }: Work, message: string): void {
  told.report.fail(message)
  told.failed = true
}

/** As it is asked for: without the slash of a directory. */
export const askedName = (name: string): string => name.replace(/(.)\/+$/s, '$1')

export const line = (text: string): string => `${packed(text)}\n`
