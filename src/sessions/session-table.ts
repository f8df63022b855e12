import { ShellError } from '../errors/index.js'
import { notify } from '../ops/notify.js'
import type { Host } from '../types/host.js'
import type { Session, SessionStart, Sessions, SessionsOptions } from '../types/session.js'
import type { ShellProcess } from '../types/shell.js'
import { createSessionOutput } from './output.js'
import { settledWithin } from './pause.js'
import { createSession, type OwnedSession, type SessionParts } from './session.js'

/** A start whose process is not running yet. */
interface Starting {
  readonly controller: AbortController
  /** Resolves when the start has failed, succeeded or been cancelled. Never rejects. */
  readonly settled: Promise<unknown>
}

/** Maximum time that `dispose` waits for cancelled starts, in milliseconds. */
const CALL_OFF_MS = 2000

export function createSessionTable(
  host: Host,
  { max = Infinity, idleMs, keepEnded = Infinity }: SessionsOptions,
  isTaken: (id: string) => boolean = () => false,
): Sessions {
  /** All sessions by id, oldest first. */
  const sessions = new Map<string, Session>()
  /** Ids of ended sessions, in the order of their end. */
  const ended: string[] = []
  const starting = new Set<Starting>()
  /** Ids of pending starts. */
  const reserved = new Set<string>()
  const listeners = new Set<() => void>()
  const nextId = createIds(host)
  let running = 0
  let disposing: Promise<void> | undefined

  const changed = (): void => {
    for (const listener of [...listeners]) notify(listener)
  }

  const forgetOldest = (): void => {
    sessions.delete(ended.shift() ?? '')
  }

  const onEnd = (id: string): void => {
    running--
    ended.push(id)
    while (ended.length > keepEnded) forgetOldest()
    changed()
  }

  const idFor = (kind: string): string => {
    let id = nextId(kind)
    while (sessions.has(id) || reserved.has(id) || isTaken(id)) id = nextId(kind)
    return id
  }

  /** Registers a started session. Synchronous, so that `dispose` cannot run between the start and the registration. */
  const add = (parts: Pick<SessionParts, 'id' | 'start' | 'process' | 'output' | 'abort'>): OwnedSession => {
    const { id } = parts
    const session = createSession({ ...parts, host, idleMs, onEnd: () => onEnd(id) })
    sessions.set(id, session)
    running++
    changed()
    return session
  }

  const launch = (start: SessionStart): Promise<Session> =>
    new Promise((resolve, reject) => {
      const controller = new AbortController()
      const { signal } = controller
      const output = createSessionOutput()
      const id = idFor(start.kind)
      reserved.add(id)
      let session: OwnedSession | undefined
      const spawn = async (): Promise<ShellProcess> => start.spawn({ id, signal, onOutput: (piece) => (session ?? output).push(piece) })
      const forgetAttempt = (): void => {
        starting.delete(attempt)
        reserved.delete(id)
      }
      const onSpawned = async (process: ShellProcess): Promise<void> => {
        forgetAttempt()
        if (signal.aborted) return endLate(process)
        session = add({ id, start, process, output, abort: () => controller.abort() })
        resolve(session)
      }
      const onFailed = (error: unknown): void => {
        forgetAttempt()
        reject(error)
      }
      const attempt: Starting = { controller, settled: spawn().then(onSpawned).catch(onFailed) }
      starting.add(attempt)
      signal.addEventListener('abort', () => reject(disposed(start.name)), { once: true })
    })

  const endAll = async (): Promise<void> => {
    const calledOff = [...starting]
    for (const { controller } of calledOff) controller.abort()
    const stops = [...sessions.values()].map((session) => session.stop())
    await Promise.all([...stops, settledWithin(host, CALL_OFF_MS, Promise.all(calledOff.map(({ settled }) => settled)))])
  }

  return {
    async start(start) {
      if (disposing) throw disposed(start.name)
      const taken = running + starting.size
      if (taken >= max)
        throw new ShellError('too_many_sessions', `Cannot start "${start.name}": ${taken} sessions are already running, which is the limit`)
      return launch(start)
    },
    get: (id) => sessions.get(id),
    list: () => [...sessions.values()].reverse(),
    onChange(listener) {
      const own = (): void => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    prune({ endedBefore = -Infinity, keep = Infinity }) {
      const before = ended.length
      const isOld = (): boolean => (sessions.get(ended[0] ?? '')?.info.updatedMs ?? Infinity) < endedBefore
      while (ended.length > Math.max(0, keep) || isOld()) forgetOldest()
      if (ended.length < before) changed()
      return before - ended.length
    },
    dispose() {
      disposing ??= endAll()
      return disposing
    },
  }
}

const disposed = (name: string): ShellError =>
  new ShellError('unavailable', `Cannot start "${name}": the runtime and its sessions have been disposed`)

/** Kills a process whose start was cancelled. */
async function endLate(process: ShellProcess): Promise<void> {
  try {
    await process.kill('SIGKILL')
    await process.exited
  } catch {
    // The start's signal has aborted already, so nothing more can be done.
  }
}

const HEX = 2 ** 32

/** Creates ids `bg-<kind>-<ms>-<8 hex digits>`. They are unique even if the host's random numbers repeat or its clock stands still. */
function createIds({ now, random }: Pick<Host, 'now' | 'random'>): (kind: string) => string {
  const given = new Set<number>()
  let last: number | undefined
  return (kind) => {
    const time = Math.floor(now())
    if (time !== last) given.clear()
    last = time
    let number = Math.floor(random() * HEX) % HEX
    while (given.has(number)) number = (number + 1) % HEX
    given.add(number)
    return `bg-${kind}-${time}-${number.toString(16).padStart(8, '0')}`
  }
}
