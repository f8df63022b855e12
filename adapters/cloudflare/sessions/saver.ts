import type { Host } from '../../../src/types/host.js'
import type { DurableSession } from './durable-session.js'

/** Output is recorded so long after it came at the latest. */
const DELAY_MS = 250
/** How long to wait after a failure, as of a storage that is full. */
const RETRY_MS = 5000

/** Records sessions some time after they have changed, all that have changed by then. */
export interface Saver {
  /** It has changed. */
  touch(session: DurableSession): void
  /** Records it at once. What fails is tried again later. Whether it is recorded. */
  save(session: DurableSession): boolean
  /** Records what is still to be. @throws {FsError} the first failure */
  flush(): void
  forget(session: DurableSession): void
}

export function createSaver(host: Host): Saver {
  const touched = new Set<DurableSession>()
  let waiting = false
  let failing = false

  const attempt = (session: DurableSession): unknown => {
    touched.delete(session)
    try {
      session.save()
      failing = false
      return undefined
    } catch (error) {
      touched.add(session)
      failing = true
      return error ?? new Error('unknown')
    }
  }

  const run = async (): Promise<void> => {
    await host.sleep(failing ? RETRY_MS : DELAY_MS)
    for (const session of [...touched]) {
      if (attempt(session)) break
      // Each may be a megabyte: calls go on in between.
      await host.yield()
    }
    waiting = false
    // What has ended changes no more: it is tried again with the next that changes, so that an object at rest is left at rest.
    if ([...touched].some(({ info }) => info.state === 'running')) schedule()
  }

  const schedule = (): void => {
    if (waiting) return
    waiting = true
    void run()
  }

  return {
    touch(session) {
      touched.add(session)
      schedule()
    },
    save(session) {
      const isSaved = attempt(session) === undefined
      if (!isSaved) schedule()
      return isSaved
    },
    flush() {
      const [error] = [...touched].map(attempt).filter((failure) => failure !== undefined)
      if (error !== undefined) throw error
    },
    forget: (session) => void touched.delete(session),
  }
}
