import type { ApprovalRequest, CreateRuntimeOptions, Preset, RuntimeEvent, ToolRuntime } from 'toolport'
import { MAY_SEND, type PolicyKind, readingTools } from '../agent/policies.js'

type Policy = NonNullable<CreateRuntimeOptions['policy']>

/** A question for the user. */
export interface Question {
  readonly request: ApprovalRequest
  /** Whether the preset's own policy requires approval, regardless of the user's choice. */
  readonly byPreset: boolean
  /** The tool that made the nested call. Undefined: the user made the call. */
  readonly madeBy: string | undefined
}

/** Decides about a call. */
export interface Asker {
  /** The user's choice, which may change while the call runs. */
  readonly policy: () => PolicyKind
  readonly ask: (question: Question) => Promise<boolean>
}

/** The approval gate of a runtime: combines the preset's policy and the user's policy. */
export interface CallGate {
  /** Approval function for presets that ask themselves. */
  readonly approve: (request: ApprovalRequest) => Promise<boolean>
  /**
   * Policy of the runtime. What the preset's rules allow is subject to the user's policy. `searching`: names of search tools that may be
   * added.
   */
  policyFor(tools: Preset['tools'], own: Policy | undefined, searching?: readonly string[]): Policy
  /**
   * Sets the test for web search tools, by identity and not by name, because another tool may have the name by now. A search only reads,
   * but a program could use it to send away data. The user's own searches count as reading; searches by programs count as changes.
   */
  searches(isSearch: (name: string) => boolean): void
  /**
   * Runs a call with an asker, who also answers for nested calls. Calls without an asker are made by the page itself: the user is not
   * asked, and both calls that the preset wants approved and web searches are denied.
   */
  answering<T>(runtime: ToolRuntime, call: { readonly id: string; readonly tool: string }, asker: Asker, run: () => Promise<T>): Promise<T>
}

interface AnsweredCall {
  readonly tool: string
  readonly madeBy: string | undefined
  readonly asker: Asker
  /** Whether the user has seen and approved exactly this call. */
  approved: boolean
}

/** This reason and `MAY_SEND` mark the user's policy; other reasons come from the preset. */
const MAY_CHANGE = 'it may change something'

export function createCallGate(): CallGate {
  const calls = new Map<string, AnsweredCall>()
  let reading: readonly string[] = []
  let isSearch = (_name: string): boolean => false

  async function decide(request: ApprovalRequest, byPreset: boolean): Promise<boolean> {
    const call = calls.get(request.callId)
    if (!call) return !byPreset && !isSearch(request.tool)
    const onlyReads = reading.includes(request.tool) || (call.madeBy === undefined && isSearch(request.tool))
    if (!byPreset && onlyReads) return true
    const kind = call.asker.policy()
    if (!byPreset && kind !== 'ask') return kind === 'allow'
    // Asks only once per call if the second question would cover the same.
    if (call.approved && isWholeCall(request)) return true
    const isApproved = await call.asker.ask({ request, byPreset, madeBy: call.madeBy })
    if (isApproved && isWholeCall(request)) call.approved = true
    return isApproved
  }

  return {
    approve: (request) => decide(request, true),
    policyFor(tools, own = {}, searching = []) {
      reading = readingTools(tools)
      const rules = own.tools ?? []
      return {
        ...own,
        tools: [
          ...rules.map((rule) => (rule.action === 'allow' ? { tools: rule.tools, action: 'ask' as const, reason: MAY_CHANGE } : rule)),
          { tools: reading, action: 'allow' },
          { tools: searching, action: 'ask', reason: MAY_SEND },
          { tools: '*', action: 'ask', reason: MAY_CHANGE },
        ],
        async approve(request) {
          const isOurs = request.reason === MAY_CHANGE || request.reason === MAY_SEND
          const byPreset = !isOurs || request.path !== undefined || request.command !== undefined
          return byPreset && own.approve ? own.approve(request) : decide(request, byPreset)
        },
      }
    },
    searches(next) {
      isSearch = next
    },
    async answering(runtime, { id, tool }, asker, run) {
      const mine = [id]
      calls.set(id, { tool, madeBy: undefined, asker, approved: false })
      const stop = runtime.on((event: RuntimeEvent) => {
        const maker = event.type === 'call_start' && event.parentId !== undefined ? calls.get(event.parentId) : undefined
        if (event.type !== 'call_start' || !maker) return
        calls.set(event.callId, { tool: event.call.name, madeBy: maker.tool, asker, approved: false })
        mine.push(event.callId)
      })
      try {
        return await run()
      } finally {
        stop()
        for (const one of mine) calls.delete(one)
      }
    },
  }
}

/** Whether the call itself shows everything that the request is about. */
const isWholeCall = ({ input, path, command }: ApprovalRequest): boolean =>
  path === undefined && (command === undefined || Reflect.get(Object(input), 'command') === command)
