import { required } from '../../../src/errors/required.js'
import { systemHost } from '../../../src/host.js'
import type { Host } from '../../../src/types/host.js'
import type { Session, SessionIo, SessionStart, Sessions, SessionsPrune } from '../../../src/types/session.js'
import { toFsError } from '../faults.js'
import type { DurableStorageLike } from '../storage-like.js'
import { DurableSession } from './durable-session.js'
import { recordedCommand } from './record.js'
import { SessionStore } from './store.js'
import { createStoredSession } from './stored-session.js'

/** Options of `createDurableSessions`. */
export interface DurableSessionsOptions {
  /** `ctx.storage` of a Durable Object with SQLite. */
  readonly storage: DurableStorageLike
  /**
   * Creates the session table that runs the processes. That table must not use an id for which `isTaken` returns true, and may remove a
   * session as soon as the session has ended.
   */
  readonly create: (isTaken: (id: string) => boolean) => Sessions
  /** The source of time, timers and random numbers. Default: those of the system. */
  readonly host?: Host
  /** Maximum number of ended sessions that stay readable. Beyond that, the session that ended first is removed. Default: 100. */
  readonly keepEnded?: number
  /** Prefix of the table names, which continue with `_`, as for the workspace. Default: `toolport`. */
  readonly prefix?: string
}

/** A session in the table. A process of this runtime or of an earlier runtime ran it. */
interface Entry {
  readonly session: Session
  /** The time when the session ended, or null while it runs. */
  readonly endedMs: number | null
}

const KEEP_ENDED = 100

/**
 * Records background sessions and their output in the SQLite of a Durable Object. Processes do not survive an eviction: the next table over
 * the same storage lists their sessions as `lost`, with their output and cursors. Output of the last 250 ms before the eviction may be
 * missing, unless it was read. Sessions that ended before the eviction keep their state.
 *
 * If the record cannot be created, the session does not start (FsError ENOSPC for a full storage). If a later write fails, the table
 * retries it, and the output is only in memory until then. Use one table at a time: a second table over the same storage marks running
 * sessions as lost. A disposed table stays readable and creates no tables, so the storage stays empty after `deleteAll()`.
 */
export function createDurableSessions(options: DurableSessionsOptions): Sessions {
  const storage = required('createDurableSessions', 'the option "storage", ctx.storage of the Durable Object', options?.storage)
  required('createDurableSessions', 'the option "create", a function that makes the table of those that run', options.create)
  const { create, host = systemHost, keepEnded = KEEP_ENDED, prefix = 'toolport' } = options
  /** All sessions, oldest first. */
  const entries = new Map<string, Entry>()
  const running = new Set<DurableSession>()
  const adopted = new WeakMap<Session, DurableSession>()
  const listeners = new Set<() => void>()
  const saver = createSaver(host)
  let loaded = false
  let closed = false
  let disposing: Promise<void> | undefined

  const onCleared = (): void => {
    for (const [id, { endedMs }] of entries) if (endedMs !== null) entries.delete(id)
  }
  const store = new SessionStore({ storage, prefix, onCleared })

  /** Returns all sessions. The first call loads the sessions of earlier runtimes. @throws {FsError} */
  const all = (): Map<string, Entry> => {
    if (loaded || closed) return entries
    for (const record of store.load(host.now())) {
      entries.set(record.id, { session: createStoredSession(record, store), endedMs: record.endedMs })
    }
    loaded = true
    trim()
    return entries
  }

  const tell = (): void => {
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch {
        // An exception in a listener must not affect the others.
      }
    }
  }

  /** @throws {FsError}; no session is forgotten then */
  const forget = ({ endedBefore = -Infinity, keep = Infinity }: SessionsPrune): number => {
    const ended = [...entries].filter(([, { endedMs }]) => endedMs !== null).sort(([, a], [, b]) => Number(a.endedMs) - Number(b.endedMs))
    const tooMany = ended.length - keep
    const ids = ended.filter(([, { endedMs }], index) => index < tooMany || Number(endedMs) < endedBefore).map(([id]) => id)
    if (ids.length === 0) return 0
    store.remove(ids)
    for (const id of ids) {
      const { session } = entries.get(id) ?? {}
      if (session instanceof DurableSession) saver.forget(session)
      entries.delete(id)
    }
    return ids.length
  }

  const trim = (): void => {
    try {
      forget({ keep: keepEnded })
    } catch {
      // Ignored: the next session that ends retries this.
    }
  }

  const onSpawned = (session: Session): void => {
    const durable = new DurableSession(session, store, { moved: saver.save, touched: saver.touch })
    adopted.set(session, durable)
    running.add(durable)
    entries.set(durable.id, {
      session: durable,
      get endedMs() {
        return durable.endedMs
      },
    })
  }

  /** Records the end of a session. Runs before listeners learn of the end. */
  const onEnded = (durable: DurableSession): void => {
    running.delete(durable)
    durable.end()
    if (!saver.save(durable)) {
      try {
        durable.saveState()
      } catch {
        // Ignored, although the object would list this session as lost after a restart.
      }
    }
    trim()
  }

  const inner = create((id) => all().has(id))
  inner.onChange(() => {
    for (const session of inner.list()) if (!adopted.has(session)) onSpawned(session)
    for (const durable of [...running]) if (durable.info.state !== 'running') onEnded(durable)
    tell()
  })

  const close = (): void => {
    closed = true
    store.close()
  }

  const record = (id: string, { kind, name, command, cwd, terminal }: SessionStart): void => {
    const now = host.now()
    const asked = { kind, name, command: recordedCommand(command), cwd, terminalAsked: terminal !== undefined }
    try {
      store.add(id, { ...asked, transport: 'pipe', createdMs: now }, { updatedMs: now, exitCode: null })
    } catch (error) {
      throw toFsError((error as Error).cause ?? error, 'start a background session in', cwd)
    }
  }

  return {
    async start(start) {
      all()
      let recorded: string | undefined
      const spawn = async (io: SessionIo) => {
        record(io.id, start)
        recorded = io.id
        return start.spawn(io)
      }
      try {
        const session = await inner.start({ ...start, spawn })
        return adopted.get(session) ?? session
      } catch (error) {
        if (recorded !== undefined) removeQuietly(store, recorded)
        throw error
      }
    },
    get: (id) => all().get(id)?.session,
    list: () => [...all().values()].map(({ session }) => session).reverse(),
    onChange(listener) {
      const own = (): void => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    prune(which) {
      all()
      const forgotten = forget(which)
      if (forgotten > 0) tell()
      return forgotten
    },
    dispose() {
      disposing ??= inner.dispose().then(saver.flush).finally(close)
      return disposing
    },
  }
}

/** Removes the record of a failed start. */
function removeQuietly(store: SessionStore, id: string): void {
  try {
    store.remove([id])
  } catch {
    // Ignored: a later runtime would list the session as lost, but the caller already has the error.
  }
}

/** Milliseconds until new output is recorded. */
const DELAY_MS = 250
/** Milliseconds until a retry after a failure, for example because the storage is full. */
const RETRY_MS = 5000

/** Records changed sessions together, after a delay. */
interface Saver {
  /** Marks a session as changed. The session is recorded after the delay. */
  touch(session: DurableSession): void
  /** Records a session at once. Returns whether this succeeded. A failure is retried later. */
  save(session: DurableSession): boolean
  /** Records all changed sessions at once. @throws {FsError} the first failure, after all sessions were tried */
  flush(): void
  forget(session: DurableSession): void
}

function createSaver(host: Host): Saver {
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
      // Give way after each session, because recording one can write a megabyte.
      await host.yield()
    }
    waiting = false
    // Schedule another attempt only while one of the sessions runs, so that an idle object stays idle. Otherwise the next change retries.
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
