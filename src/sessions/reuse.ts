import type { Session, SessionStart, Sessions } from '../types/session.js'

/** By what a session is found again. */
export type ReuseKey = Pick<SessionStart, 'kind' | 'name' | 'cwd' | 'terminal'>

/**
 * The newest session that runs and has the same kind, name and directory, and was to have a terminal as well, or none as well. One that is
 * about to end is none: whoever is given it has nothing. One that was only sent TERM may ignore that, and is.
 */
export function findRunning(sessions: Sessions, { kind, name, cwd, terminal }: ReuseKey): Session | undefined {
  return sessions.list().find(({ info }) => {
    const same = info.kind === kind && info.name === name && info.cwd === cwd
    return same && info.terminalAsked === (terminal !== undefined) && info.state === 'running' && !info.stopping
  })
}

/** Starts that are under way, by table and key: two calls at the same time are to get one session. */
const starting = new WeakMap<Sessions, Map<string, Promise<Session>>>()

/** The session that runs already, else a new one. @throws as `Sessions.start` */
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
    // A start that fails is the other call's affair: this one tries for itself.
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
