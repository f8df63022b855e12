import { PolicyError } from '../errors/index.js'
import type { CallContext } from '../types/runtime.js'
import type { Job, Surroundings } from './call-context.js'

/** The maximum depth of nested calls. */
const DEEPEST = 5

/** @throws PolicyError for a call nested too deeply, because tools that call each other would never end */
export function checkDepth({ tool, depth }: Job): void {
  if (depth <= DEEPEST) return
  throw new PolicyError('tool_excluded', `Cannot run "${tool}": calls are already nested ${DEEPEST} deep`, 'depth')
}

/** The context of a nested call: the remaining time of the outer call, and none after that call has ended. */
export function nestedContext({ host }: Surroundings, { scope, started, deadlineMs }: Job, signal: AbortSignal | undefined): CallContext {
  if (scope.closed) return { signal: AbortSignal.abort() }
  const left = Math.max(0, started + deadlineMs - host.now())
  return { signal: signal ? AbortSignal.any([scope.signal, signal]) : scope.signal, deadlineMs: left }
}
