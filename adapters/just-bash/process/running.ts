import type { Host } from '../../../src/types/host.js'
import type { JobTable } from '../jobs/table.js'
import type { Context } from '../library-types.js'
import type { Stop } from '../stop.js'
import type { Sink } from './frames.js'
import type { Process } from './process.js'

/** One call of the shell, with all that it runs. */
export interface Running {
  readonly host: Pick<Host, 'now' | 'random'>
  readonly stop: Stop
  readonly sink: Sink
  readonly main: Process
  readonly jobs: JobTable
  /** Those of scripts that commands run, by their process ids. */
  readonly shells: Map<number, Context>
  /** Goes on as long as it likes: what was printed does not count any more. */
  readonly endless: boolean
  nextPid(): number
  /** Ends all of it: it was too much. */
  fail(message: string): void
}
