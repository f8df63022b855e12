import { HttpError } from './http/errors.js'

const MIB = 1024 * 1024
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Setting -> default. Each may be set as a variable of the Worker; whole numbers from 1 up. */
const DEFAULTS = {
  /** Of a request, bytes; larger ones get 413. */
  MAX_BODY_BYTES: 4 * MIB,
  /** From the first byte to the last one of a body; slower ones get 408. */
  BODY_TIMEOUT_MS: 30_000,
  /** A workspace unused for so long is deleted, unless it was created with a `ttlMs` of its own. */
  TTL_MS: DAY,
  /** The most that `ttlMs` may be. */
  MAX_TTL_MS: 30 * DAY,
  /** A workspace is deleted when it is as old, however much it is used. */
  MAX_AGE_MS: 90 * DAY,
  /** Quota of a workspace: sum of its files, bytes. */
  MAX_BYTES: 256 * MIB,
  /** Quota of a workspace: files, directories and links. */
  MAX_FILES: 20_000,
  /** Calls of a workspace that may run at once. */
  MAX_CALLS: 16,
  /** Its background sessions that may run at once. */
  MAX_SESSIONS: 8,
  /** Those that have ended and can still be read. */
  KEEP_SESSIONS: 32,
  /** And for how long. */
  KEEP_SESSIONS_MS: DAY,
  /** A background session without output and input for so long is stopped. */
  SESSION_IDLE_MS: 30 * MINUTE,
  /** WebSockets of a workspace that may be open at once. */
  MAX_SOCKETS: 32,
  /** Requests of a workspace: so many at once, and so many each minute after that. */
  BURST: 200,
  REQUESTS_PER_MINUTE: 1200,
  /** Messages on the sockets of a workspace; acknowledging what was sent costs none. */
  MESSAGE_BURST: 200,
  MESSAGES_PER_MINUTE: 1200,
  /** Workspaces that one client address may create in a minute, and at once. */
  CREATIONS_PER_MINUTE: 30,
  /** Wrong tokens of one client address for one workspace in a minute, and at once. */
  FAILURES_PER_MINUTE: 60,
  /** A program in QuickJS that computes for so long without a pause is ended: nobody else in the isolate is served meanwhile. */
  STRETCH_MS: 500,
  /** What the programs of a workspace may compute: so much at once, and so much each minute after that. */
  PROGRAM_MS: 5000,
  PROGRAM_MS_PER_MINUTE: 12_000,
  /** Loading a workspace's own tools: those that are not loaded by then are left out. Nobody reaches the workspace meanwhile. */
  OWN_TOOLS_MS: 10_000,
  /** An MCP session that is not used for so long ends, and with it the timers that keep an object in memory. */
  MCP_IDLE_MS: 60_000,
  /** Silence on an event stream after which a comment is sent. */
  HEARTBEAT_MS: 2000,
} as const

export type Settings = { readonly [Name in keyof typeof DEFAULTS]: number }

/** @throws {HttpError} misconfigured, for a variable that is no whole number from 1 up */
export function settingsOf(variables: Readonly<Record<string, unknown>>): Settings {
  const settings: Record<string, number> = {}
  for (const [name, standard] of Object.entries(DEFAULTS)) {
    const value = variables[name]
    settings[name] = value === undefined || value === '' ? standard : Number(value)
    if (!Number.isSafeInteger(settings[name]) || Number(settings[name]) < 1)
      throw new HttpError(500, 'misconfigured', `The Worker's variable ${name} is no whole number from 1 up`)
  }
  return settings as Settings
}
