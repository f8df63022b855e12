import { PolicyError } from '../errors/index.js'
import type { ApprovalRequest, RuntimePolicy } from '../types/runtime.js'

type Approve = NonNullable<RuntimePolicy['approve']>

/** Asks for approval. Only the value `true` approves; an exception, a rejection and any other value deny. */
export async function askApproval(approve: Approve | undefined, request: ApprovalRequest): Promise<boolean> {
  if (!approve) return false
  try {
    return (await approve(request)) === true
  } catch {
    // The approver threw or rejected: treat as denied.
    return false
  }
}

/** Like `askApproval`, but denies if the request's signal aborts first. */
export function askUntilStopped(approve: Approve | undefined, request: ApprovalRequest): Promise<boolean> {
  return untilStopped(request.signal, () => askApproval(approve, request), false)
}

/**
 * Returns the host's answer, or `otherwise` if the signal aborts first: a host that never answers must not keep a finished call alive.
 * `ask` must not reject. It is not called if the signal has already aborted.
 */
export function untilStopped<T>(signal: AbortSignal, ask: () => Promise<T>, otherwise: T): Promise<T> {
  if (signal.aborted) return Promise.resolve(otherwise)
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(otherwise)
    signal.addEventListener('abort', giveUp, { once: true })
    void ask().then((answer) => {
      signal.removeEventListener('abort', giveUp)
      resolve(answer)
    })
  })
}

/** Creates the error for a tool or a command that needed an approval and did not get one. */
export function notApproved(what: string, rule: string, reason: string | undefined, asked: boolean): PolicyError {
  const why = asked ? 'the required approval was not given' : 'it needs approval, but no approver is configured'
  return new PolicyError('approval_required', `Cannot run "${what}": ${why}${reason === undefined ? '' : `: ${reason}`}`, rule, reason)
}
