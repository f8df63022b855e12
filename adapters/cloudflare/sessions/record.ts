import type { SessionInfo, SessionState, SessionStream } from '../../../src/types/session.js'

export const STREAMS: readonly ['stdout', 'stderr'] = ['stdout', 'stderr']

/** Positions in a stream, counted in characters from the beginning of the stream. */
export interface StreamBounds {
  /** Position of the first kept character. */
  readonly start: number
  /** Position after the last character. */
  readonly end: number
  /** Position where the next read begins. */
  readonly cursor: number
}

export type Bounds = Readonly<Record<SessionStream, StreamBounds>>

/** Data of a session that does not change while the session runs. */
export type Facts = Pick<SessionInfo, 'kind' | 'name' | 'command' | 'cwd' | 'transport' | 'terminalAsked' | 'pid' | 'createdMs'>

/** Data of a session that changes while the session runs, without its output. */
export type Standing = Pick<SessionInfo, 'updatedMs' | 'exitCode' | 'signal' | 'terminal'>

export interface SessionRecord {
  readonly id: string
  readonly state: SessionState
  /** The time when the session ended or was found to be lost, or null while it runs. */
  readonly endedMs: number | null
  readonly facts: Facts
  readonly standing: Standing
  readonly bounds: Bounds
}

/** Maximum number of recorded characters of a command. */
const LONGEST_COMMAND = 64 * 1024

export function factsOf({ kind, name, command, cwd, transport, terminalAsked, pid, createdMs }: SessionInfo): Facts {
  return { kind, name, command: recordedCommand(command), cwd, transport, terminalAsked, ...(pid !== undefined && { pid }), createdMs }
}

export function recordedCommand(command: string): string {
  return command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND)}...` : command
}

export function standingOf({ updatedMs, exitCode, signal, terminal }: SessionInfo): Standing {
  return { updatedMs, exitCode, ...(signal !== undefined && { signal }), ...(terminal && { terminal }) }
}

export function infoOf({ id, state, facts, standing, bounds }: SessionRecord): SessionInfo {
  const unread = { stdout: unreadOf(bounds.stdout), stderr: unreadOf(bounds.stderr) }
  return { id, ...facts, ...standing, state, stopping: false, unread }
}

const unreadOf = ({ start, end, cursor }: StreamBounds): number => end - Math.min(end, Math.max(cursor, start))
