import type { Session, SessionStart, Sessions } from '../types/session.js'

/** The properties that identify a reusable session. */
export type ReuseKey = Pick<SessionStart, 'kind' | 'name' | 'cwd' | 'terminal'>

/**
 * Finds the newest running session of the same kind, name and directory. Both must have a terminal, or neither. Excludes sessions that are
 * about to end, because the caller could not use them. Includes sessions that only received TERM, because they may ignore the signal.
 */
export function findRunning(sessions: Sessions, { kind, name, cwd, terminal }: ReuseKey): Session | undefined {
  return sessions.list().find(({ info }) => {
    const same = info.kind === kind && info.name === name && info.cwd === cwd
    return same && info.terminalAsked === (terminal !== undefined) && info.state === 'running' && !info.stopping
  })
}

/** Pending starts by table and key, so that concurrent calls share one session. */
const starting = new WeakMap<Sessions, Map<string, Promise<Session>>>()

/** Returns a matching running session, else starts a new one. @throws as `Sessions.start` */
export async function startOrReuse(
  sessions: Sessions,
  start: SessionStart,
): Promise<{ readonly session: Session; readonly reused: boolean }> {
  const { kind, name, cwd, terminal } = start
  const key = JSON.stringify([kind, name, cwd, terminal !== undefined])
  const under = starting.get(sessions) ?? new Map<string, Promise<Session>>()
  starting.set(sessions, under)
  for (;;) {
    const running = findRunning(sessions, start)
    if (running) return { session: running, reused: true }
    const other = under.get(key)
    if (!other) break
    // The other call reports its failed start. This call starts its own session.
    await other.catch(() => {})
  }
  const own = sessions.start(start)
  under.set(key, own)
  try {
    return { session: await own, reused: false }
  } finally {
    under.delete(key)
  }
}
