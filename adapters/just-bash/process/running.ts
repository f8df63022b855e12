import type { Host } from '../../../src/types/host.js'
import type { JobTable } from '../jobs/table.js'
import type { Context } from '../library-types.js'
import type { Stop } from '../stop.js'
import type { Sink } from './frames.js'
import type { Process } from './process.js'

/** One call of the shell, with everything that it runs. */
export interface Running {
  readonly host: Pick<Host, 'now' | 'random'>
  readonly stop: Stop
  readonly sink: Sink
  readonly main: Process
  readonly jobs: JobTable
  /** Shells of scripts that commands run, by process id. */
  readonly shells: Map<number, Context>
  /**
   * Whether this is a background command. Such a command has no time limit, and printed output no longer counts towards its output limit.
   */
  readonly endless: boolean
  nextPid(): number
  /** Ends the whole call because of an exceeded limit. */
  fail(message: string): void
}
