import type { Task } from './homes/task-bar.js'
import type { Notice, Told } from './notice.js'
import { type After, whenLong } from './pace.js'

export interface WorkingOptions {
  /** Stops the work, which leaves things as they were then. Default: it cannot be stopped, and nobody is offered that. */
  readonly stop?: AbortController
  /** Where a notice is shown that stays, nothing is told in its place: it would be gone afterwards. Default false. */
  readonly givesWay?: boolean
  /** Default the browser's timer. */
  readonly after?: After
}

/**
 * Does something that may take a while: once it takes long, a notice says what is done, until it has ended. What came of it is told by whoever
 * waits for it, and not by the work itself: a notice that says what is done would take the place of that.
 */
export async function whileWorking<T>(
  notice: Pick<Notice, 'follow' | 'keeps'>,
  doing: string,
  work: (task: Task) => Promise<T>,
  { stop, givesWay = false, after }: WorkingOptions = {},
): Promise<T> {
  const { signal } = stop ?? new AbortController()
  let howFar = ''
  let told: Told | undefined
  const cancel = stop && {
    label: 'Cancel',
    run() {
      stop.abort()
      // Taking back what has been done already may take a while too.
      told = notice.follow('Stopping…')
    },
  }
  const show = (): void => {
    if (givesWay && notice.keeps) return
    told = notice.follow(`${doing}…`, cancel)
    told.update(howFar)
  }
  const tell = (words: string): void => {
    howFar = words
    if (!signal.aborted) told?.update(words)
  }
  try {
    return await whenLong(show, () => work({ signal, tell }), after)
  } finally {
    told?.clear()
  }
}

/** Loads a part of the page. `what`: a name for it, as “the help”. */
export type Loading = <T>(what: string, load: () => Promise<T>) => Promise<T>

export const createLoading =
  (notice: Pick<Notice, 'follow' | 'keeps'>): Loading =>
  (what, load) =>
    whileWorking(notice, `Loading ${what}`, load, { givesWay: true })
