import type { ToolContext } from '../../types/tool.js'

/** Milliseconds until a command has to stop, so that what it printed is handed in before the deadline of the call. */
export function timeLeft(context: ToolContext): number {
  const left = deadlineOf(context) - context.host.now()
  return Math.max(1, Math.floor(left - Math.min(context.limits.graceMs, left / 2)))
}

/** Host time at which the call ends. */
export const deadlineOf = ({ now, limits }: ToolContext): number => now.getTime() + limits.deadlineMs

/** Whether the reason of a signal is a deadline that passed. */
export const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError'
