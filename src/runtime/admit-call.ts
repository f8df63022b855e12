import { createRateLimit, createToolRules, type Decision } from '../core/policy.js'
import { toFailure } from '../core/result.js'
import { PolicyError } from '../errors/index.js'
import type { RuntimeHooks, RuntimePolicy } from '../types/runtime.js'
import type { ToolError } from '../types/tool.js'
import { askApproval, notApproved } from './ask-approval.js'
import type { Job } from './call-context.js'
import { STOPPED } from './call-scope.js'
import type { Events } from './events.js'

type Rule = Exclude<Decision, { readonly action: 'allow' }>

/** The checks between validation and the tool: policy, rate limit and checkpoint. */
export class Admission {
  readonly #decide: (tool: string) => Decision
  readonly #takeRate: () => number
  readonly #approve: RuntimePolicy['approve']
  readonly #checkpoint: RuntimeHooks['checkpoint']
  readonly #events: Events

  /** @throws TypeError or RangeError for an invalid policy */
  constructor(policy: RuntimePolicy, checkpoint: RuntimeHooks['checkpoint'], events: Events, now: () => number) {
    this.#decide = createToolRules(policy.tools)
    this.#takeRate = createRateLimit(policy.rate, now)
    this.#approve = policy.approve
    this.#checkpoint = checkpoint
    this.#events = events
  }

  /**
   * Checks a call. The result is undefined if the call may run. Returns a promise only if it has to wait for an approval or a checkpoint.
   * @throws PolicyError tool_excluded, approval_required, rate_limited; STOPPED
   */
  admit(job: Job, readOnly: boolean): undefined | Promise<ToolError | undefined> {
    const decision = this.#decide(job.tool)
    if (decision.action === 'deny') throw excluded(job.tool, decision)
    if (decision.action === 'ask') return this.#admitAsked(job, readOnly, decision)
    this.#take(job.tool)
    return this.#checkpoint && !readOnly ? this.#save(job) : undefined
  }

  async #admitAsked(job: Job, readOnly: boolean, decision: Rule): Promise<ToolError | undefined> {
    const { id, tool, scope } = job
    const approved = await this.#ask(job, decision.reason)
    if (this.#events.wanted) this.#events.emit({ type: 'approval', callId: id, tool, approved })
    if (scope.stopped === 'aborted') throw STOPPED
    if (!approved) throw notApproved(tool, decision.rule, decision.reason, this.#approve !== undefined)
    this.#take(tool)
    return this.#checkpoint && !readOnly ? this.#save(job) : undefined
  }

  /** Asks for approval. If no answer arrives before the deadline, that counts as a denial. */
  async #ask({ id, tool, input, scope }: Job, reason: string | undefined): Promise<boolean> {
    if (!this.#approve) return false
    const request = { callId: id, tool, input, signal: scope.signal, ...(reason !== undefined && { reason }) }
    try {
      return await scope.within(askApproval(this.#approve, request))
    } catch {
      // `askApproval` never rejects, so this can only be STOPPED.
      return false
    }
  }

  #take(tool: string): void {
    const wait = this.#takeRate()
    if (wait === 0) return
    const when = wait === Infinity ? 'no calls are allowed' : `too many calls, try again in ${wait} ms`
    throw new PolicyError('rate_limited', `Cannot run "${tool}": ${when}`, 'rate')
  }

  async #save({ id, tool, input, scope }: Job): Promise<ToolError | undefined> {
    const checkpoint = async (): Promise<void> => this.#checkpoint?.({ id, name: tool, input })
    try {
      await scope.within(checkpoint())
      return undefined
    } catch (error) {
      if (error === STOPPED) throw error
      const failed = toFailure(error, { callId: id, tool })
      return { ...failed, error: `Cannot run "${tool}": the checkpoint before it failed: ${failed.error}` }
    }
  }
}

function excluded(tool: string, { rule, reason }: Rule): PolicyError {
  return new PolicyError('tool_excluded', `Cannot run "${tool}": ${reason ?? 'a rule of the host excludes it'}`, rule, reason)
}
