import { HttpError } from './http/errors.js'

const MIB = 1024 * 1024
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Setting -> default. A variable of the Worker with the same name overrides the default; whole numbers from 1 up. */
const DEFAULTS = {
  /** Maximum size of a request body, bytes; larger bodies get 413. */
  MAX_BODY_BYTES: 4 * MIB,
  /** Maximum time to receive a request body; slower requests get 408. */
  BODY_TIMEOUT_MS: 30_000,
  /** Unused workspaces are deleted after this time, unless they were created with another `ttlMs`. */
  TTL_MS: DAY,
  /** Maximum value of `ttlMs`. */
  MAX_TTL_MS: 30 * DAY,
  /** Workspaces are deleted at this age, even while in use. */
  MAX_AGE_MS: 90 * DAY,
  /** Quota of a workspace: total size of its files, bytes. */
  MAX_BYTES: 256 * MIB,
  /** Quota of a workspace: files, directories and links. */
  MAX_FILES: 20_000,
  /** Maximum number of concurrent calls per workspace. */
  MAX_CALLS: 16,
  /** Maximum number of concurrent background sessions per workspace. */
  MAX_SESSIONS: 8,
  /** Number of ended sessions that stay readable. */
  KEEP_SESSIONS: 32,
  /** How long ended sessions stay readable. */
  KEEP_SESSIONS_MS: DAY,
  /** Background sessions without output and input for this time are stopped. */
  SESSION_IDLE_MS: 30 * MINUTE,
  /** Maximum number of open WebSockets per workspace. */
  MAX_SOCKETS: 32,
  /** Rate limit of a workspace's requests: burst, and refill per minute. */
  BURST: 200,
  REQUESTS_PER_MINUTE: 1200,
  /** Rate limit of messages on a workspace's sockets. Acknowledging sent messages is free. */
  MESSAGE_BURST: 200,
  MESSAGES_PER_MINUTE: 1200,
  /** Workspaces that one client address may create per minute; also the burst. */
  CREATIONS_PER_MINUTE: 30,
  /** Wrong tokens that one client address may send for one workspace per minute; also the burst. */
  FAILURES_PER_MINUTE: 60,
  /** A QuickJS program that computes for this long without a pause is ended, because it blocks the whole isolate. */
  STRETCH_MS: 500,
  /** Processor time for a workspace's programs: burst, and refill per minute. */
  PROGRAM_MS: 5000,
  PROGRAM_MS_PER_MINUTE: 12_000,
  /** Deadline for loading a workspace's own tools. Tools that miss the deadline are skipped. No request reaches the workspace meanwhile. */
  OWN_TOOLS_MS: 10_000,
  /** MCP sessions end after this idle time, and with them the timers that keep an object in memory. */
  MCP_IDLE_MS: 60_000,
  /** Silence on an event stream after which a comment is sent. */
  HEARTBEAT_MS: 2000,
} as const

export type Settings = { readonly [Name in keyof typeof DEFAULTS]: number }

/** @throws {HttpError} misconfigured, when a variable is not a whole number from 1 up */
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
