import type { Task } from './homes/task-bar.js'
import type { Notice, Told } from './notice.js'
import { type After, whenLong } from './pace.js'

export interface WorkingOptions {
  /** Stops the work, which leaves things as they were then. Default: it cannot be stopped, and nobody is offered that. */
  readonly stop?: AbortController
  /** Default the browser's timer. */
  readonly after?: After
}

/**
 * Does something that may take a while: once it takes long, a notice says what is done, until it has ended. What came of it is told by whoever
 * waits for it, and not by the work itself: a notice that says what is done would take the place of that.
 */
export async function whileWorking<T>(
  notice: Pick<Notice, 'follow'>,
  doing: string,
  work: (task: Task) => Promise<T>,
  { stop, after }: WorkingOptions = {},
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

/** Loads a part of the page, and says so once that takes long. `what`: a name for it, as “the help”. */
export type Loading = <T>(what: string, load: () => Promise<T>) => Promise<T>

/** What takes long is said until all of it is there, but in the place of no notice that stays: that would be gone afterwards. */
export function createLoading(notice: Pick<Notice, 'follow' | 'keeps'>, after?: After): Loading {
  const long = new Map<symbol, string>()
  let told: Told | undefined

  function show(): void {
    told?.clear()
    told = long.size > 0 && !notice.keeps ? notice.follow(`Loading ${[...new Set(long.values())].join(' and ')}…`) : undefined
  }

  return async (what, load) => {
    const one = Symbol(what)
    const onLong = (): void => {
      long.set(one, what)
      show()
    }
    try {
      return await whenLong(onLong, load, after)
    } finally {
      if (long.delete(one)) show()
    }
  }
}
