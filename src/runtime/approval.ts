import { PolicyError } from '../errors/index.js'
import type { ApprovalRequest, RuntimePolicy } from '../types/runtime.js'

type Approve = NonNullable<RuntimePolicy['approve']>

/** Only `true` is a yes: a throw, a rejection and any other answer are a no. */
export async function askApproval(approve: Approve | undefined, request: ApprovalRequest): Promise<boolean> {
  if (!approve) return false
  try {
    return (await approve(request)) === true
  } catch {
    // Nobody can be asked, so nobody agreed.
    return false
  }
}

/** As `askApproval`, but a no when the request's signal aborts first. */
export function askUntilStopped(approve: Approve | undefined, request: ApprovalRequest): Promise<boolean> {
  return untilStopped(request.signal, () => askApproval(approve, request), false)
}

/**
 * The answer of the host, or `otherwise` when the signal aborts first: one that never answers must not hold what a call holds when the
 * call is over. `ask` must not reject; it is not called when the signal is aborted already.
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

/** The denial of what a rule wanted approved: a tool, or a command. */
export function notApproved(what: string, rule: string, reason: string | undefined, asked: boolean): PolicyError {
  const why = asked ? 'the approval it needs was not given' : 'it needs an approval, and nobody can give one here'
  return new PolicyError('approval_required', `Cannot run "${what}": ${why}${reason === undefined ? '' : `: ${reason}`}`, rule, reason)
}
