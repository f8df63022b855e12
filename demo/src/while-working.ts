import type { Task } from './homes/task-bar.js'
import type { Notice, Told } from './notice.js'
import { type After, whenLong } from './pace.js'

export interface WorkingOptions {
  /** Aborted by the Cancel button; the work then has to undo its changes. Default: no Cancel button. */
  readonly stop?: AbortController
  /** Timer. Default: the browser's timer. */
  readonly after?: After
}

/**
 * Runs work and shows a notice if it takes long. The caller reports the result, not the work itself, because the notice would replace that
 * message.
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
      // Undoing what is already done may take a while too.
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

/** Loads a part of the page and shows a notice if loading takes long. `what`: its name, such as "the help". */
export type Loading = <T>(what: string, load: () => Promise<T>) => Promise<T>

/** Shows a notice during slow loading. Does not replace a notice that stays until it is closed, because that notice would be lost. */
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
