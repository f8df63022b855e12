import type { Session, Sessions } from '../../types/session.js'

/** Tells when a background session begins, ends or prints something. */
export function followSessions(sessions: Sessions, tell: () => void): () => void {
  const stops = new Map<Session, () => void>()
  const follow = (): void => {
    const running = sessions.list().filter(({ info }) => info.state === 'running')
    for (const session of running) if (!stops.has(session)) stops.set(session, session.onOutput(tell))
    for (const [session, stop] of stops) {
      if (running.includes(session)) continue
      stop()
      stops.delete(session)
    }
  }
  const stopFollowing = sessions.onChange(() => {
    follow()
    tell()
  })
  follow()
  return () => {
    stopFollowing()
    for (const stop of stops.values()) stop()
    stops.clear()
  }
}
