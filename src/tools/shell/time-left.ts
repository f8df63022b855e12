import type { ToolContext } from '../../types/tool.js'

/** Returns the milliseconds until a command has to stop, so that its output is returned before the deadline of the call. */
export function timeLeft(context: ToolContext): number {
  const left = deadlineOf(context) - context.host.now()
  return Math.max(1, Math.floor(left - Math.min(context.limits.graceMs, left / 2)))
}

/** Returns the deadline of the call, in milliseconds of the host's clock. */
export const deadlineOf = ({ now, limits }: ToolContext): number => now.getTime() + limits.deadlineMs

/** Whether the reason of a signal is a passed deadline. */
export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'
