import { PolicyError } from '../errors/index.js'
import type { CallContext } from '../types/runtime.js'
import type { Job, Surroundings } from './call-context.js'

/** Calls within each other. */
const DEEPEST = 5

/** @throws PolicyError for a call that is within too many others: tools that call each other would go on without end */
export function checkDepth({ tool, depth }: Job): void {
  if (depth <= DEEPEST) return
  throw new PolicyError('tool_excluded', `Cannot run "${tool}": ${DEEPEST} calls are within each other already`, 'depth')
}

/** What a call within another may take: what is left of that one, and nothing once that one is answered. */
export function nestedContext({ host }: Surroundings, { scope, started, deadlineMs }: Job, signal: AbortSignal | undefined): CallContext {
  if (scope.closed) return { signal: AbortSignal.abort() }
  const left = Math.max(0, started + deadlineMs - host.now())
  return { signal: signal ? AbortSignal.any([scope.signal, signal]) : scope.signal, deadlineMs: left }
}
