import type { Session } from 'toolport'

/** A short description of how a session ended. */
export function endOf({ info: { state, exitCode, signal } }: Session): string {
  if (state === 'running') return 'running'
  const how = signal === undefined ? (exitCode === null ? '' : ` with ${exitCode}`) : ` by ${signal}`
  return state === 'stopped' ? `stopped${signal === undefined ? '' : how}` : `ended${how}`
}
