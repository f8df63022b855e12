import { lazy } from '../core/lazy.js'
import { notify } from '../ops/notify.js'
import type { Host } from '../types/host.js'
import type { Sessions, SessionsOptions } from '../types/session.js'

const body = lazy(() => import('./session-table.js'))

/**
 * Creates an empty session table. Its implementation loads with the first session, because most runtimes have no sessions. `isTaken`:
 * whether an id is already used elsewhere.
 *
 * @throws RangeError for an invalid option
 */
export function createSessions(host: Host, options: SessionsOptions = {}, isTaken?: (id: string) => boolean): Sessions {
  checkOptions(options)
  let table: Sessions | undefined
  let disposed = false
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of [...listeners]) notify(listener)
  }
  return {
    async start(start) {
      const { createSessionTable } = await body()
      if (!table) {
        table = createSessionTable(host, options, isTaken)
        table.onChange(changed)
        if (disposed) await table.dispose()
      }
      return table.start(start)
    },
    get: (id) => table?.get(id),
    list: () => table?.list() ?? [],
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    prune: (which) => table?.prune(which) ?? 0,
    async dispose() {
      disposed = true
      await table?.dispose()
    },
  }
}

/** @throws RangeError */
export function checkOptions(options: SessionsOptions): void {
  for (const name of ['max', 'idleMs', 'keepEnded'] as const) {
    const value = options[name]
    const least = name === 'keepEnded' ? 0 : 1
    if (value !== undefined && !(Number.isInteger(value) && value >= least))
      throw new RangeError(`Cannot set sessions.${name} to ${value}: expected a whole number from ${least}`)
  }
}
