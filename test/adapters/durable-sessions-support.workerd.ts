import { type Session, type Sessions, type SessionsOptions, systemHost } from 'toolport'
import { createDurableSessions, type DurableStorageLike } from 'toolport/adapters/cloudflare'
import { createTestHost, type TestHost } from 'toolport/testing'
import { createSessions } from '../../src/sessions/index.js'
import type { hand } from '../unit/sessions-support.js'

/** Delay in milliseconds after which output is recorded. */
export const DELAY_MS = 250

/** Maximum number of characters that are kept per stream. */
export const KEPT = 300_000

export interface Table {
  readonly host: TestHost
  readonly sessions: Sessions
}

export interface TableOptions {
  /** Default: a new host whose clock stands still. */
  readonly host?: TestHost
  readonly options?: SessionsOptions
  readonly prefix?: string
}

/**
 * A session table on this storage, whose processes the test controls. A second table on the same storage acts as the table of the next
 * object.
 */
export function tableOver(storage: DurableStorageLike, { host = createTestHost(), options = {}, prefix }: TableOptions = {}): Table {
  const { keepEnded, ...others } = options
  const sessions = createDurableSessions({
    storage,
    host,
    ...(keepEnded !== undefined && { keepEnded }),
    ...(prefix !== undefined && { prefix }),
    create: (isTaken) => createSessions(host, { ...others, keepEnded: 0 }, isTaken),
  })
  return { host, sessions }
}

/** Lets pending work finish. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await systemHost.yield()
}

/** Returns the session with this id, which an earlier table on the same storage has stored. Throws if the session is missing. */
export function found(sessions: Sessions, id: string): Session {
  const session = sessions.get(id)
  if (!session) throw new Error(`there is no session ${id}`)
  return session
}

/** Reads all unread output of a stream, in steps. */
export function readAll(session: Session, stream: 'stdout' | 'stderr' = 'stdout', maxChars = 8000): string {
  let text = ''
  for (;;) {
    const part = session.read({ stream, maxChars })[stream]
    text += part.text
    if (!part.hasMore) return text
  }
}

export async function ended(process: ReturnType<typeof hand>, session: Session, exitCode = 0): Promise<void> {
  process.exit({ exitCode })
  await session.exited
}
