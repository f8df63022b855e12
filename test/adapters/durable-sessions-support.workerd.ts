import { type Session, type Sessions, type SessionsOptions, systemHost } from 'toolport'
import { createDurableSessions, type DurableStorageLike } from 'toolport/adapters/cloudflare'
import { createTestHost, type TestHost } from 'toolport/testing'
import { createSessions } from '../../src/sessions/index.js'
import type { hand } from '../unit/sessions-support.js'

/** The delay with which output is recorded. */
export const DELAY_MS = 250

/** Characters of a stream that are kept. */
export const KEPT = 300_000

export interface Table {
  readonly host: TestHost
  readonly sessions: Sessions
}

export interface TableOptions {
  /** Default one of its own, whose clock stands still. */
  readonly host?: TestHost
  readonly options?: SessionsOptions
  readonly prefix?: string
}

/** A table over this storage, with processes that are moved by hand. A second one is what the next object sees. */
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

/** Lets what is under way settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await systemHost.yield()
}

/** What an earlier table left of this session. */
export function found(sessions: Sessions, id: string): Session {
  const session = sessions.get(id)
  if (!session) throw new Error(`there is no session ${id}`)
  return session
}

/** All of a stream that is not read yet, read in steps. */
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
