import type { Printout } from '../shared/bulk.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'
import type { Report } from '../shared/text-io.js'
import type { TarRun } from './options.js'

/** The output and errors of a run. */
export interface Told {
  readonly out: Printout
  readonly report: Report
  failed: boolean
  /** Prefixes that were removed from names, such as `/`. */
  readonly leads: Set<string>
}

export interface Work extends TarRun {
  readonly context: CommandContext
  readonly pace: Pace
  readonly told: Told
}

/** An error in the gzip data. Like GNU tar, prints gzip's message and the status of gzip. */
export class GzipFault extends Failure {
  constructor(message: string) {
    super(`\ngzip: stdin: ${message}\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now`, 2)
  }
}

/** Reports an error of one file. The run continues with the other files. */
export function complain({ told }: Work, message: string): void {
  told.report.fail(message)
  told.failed = true
}

/** Returns the name without the trailing slash of a directory. */
export const askedName = (name: string): string => name.replace(/(.)\/+$/s, '$1')

export const line = (text: string): string => `${packed(text)}\n`
