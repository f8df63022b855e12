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

/** The denial of a call that a rule wanted approved. */
export function notApproved(tool: string, rule: string, reason: string | undefined, asked: boolean): PolicyError {
  const why = asked ? 'the approval it needs was not given' : 'it needs an approval, and nobody can give one here'
  return new PolicyError('approval_required', `Cannot run "${tool}": ${why}${reason === undefined ? '' : `: ${reason}`}`, rule, reason)
}
