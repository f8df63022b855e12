import type { ApprovalRequest, CreateRuntimeOptions, Preset, RuntimeEvent, ToolRuntime } from 'toolport'
import { MAY_SEND, type PolicyKind, readingTools } from '../agent/policies.js'

type Policy = NonNullable<CreateRuntimeOptions['policy']>

/** A question for the user. */
export interface Question {
  readonly request: ApprovalRequest
  /** Whether the preset's own policy requires approval. If so, the user is asked whatever policy the user chose. */
  readonly byPreset: boolean
  /** Name of the tool that made this nested call. Undefined: the user made the call. */
  readonly madeBy: string | undefined
}

/** Decides whether a call may run. */
export interface Asker {
  /** The user's choice, which may change while the call runs. */
  readonly policy: () => PolicyKind
  readonly ask: (question: Question) => Promise<boolean>
}

/** The approval gate of a runtime: combines the preset's policy and the user's policy. */
export interface CallGate {
  /** Approval function for presets whose tools ask for approval themselves. */
  readonly approve: (request: ApprovalRequest) => Promise<boolean>
  /**
   * Creates the policy of the runtime. Calls that the preset's rules allow still depend on the user's policy. `searching`: names of search
   * tools that may be added later.
   */
  policyFor(tools: Preset['tools'], own: Policy | undefined, searching?: readonly string[]): Policy
  /**
   * Sets the function that recognizes web search tools. It compares the tool itself, because another tool may have taken over the name. A
   * search only reads, but a program could use it to send data away: the user's own searches count as reading, searches by programs as
   * changes.
   */
  searches(isSearch: (name: string) => boolean): void
  /**
   * Runs a call. `asker` decides about the call and about its nested calls. The page itself makes calls without an asker: for these the
   * user is not asked, and both web searches and calls that the preset wants approved are denied.
   */
  answering<T>(runtime: ToolRuntime, call: { readonly id: string; readonly tool: string }, asker: Asker, run: () => Promise<T>): Promise<T>
}

interface AnsweredCall {
  readonly tool: string
  readonly madeBy: string | undefined
  readonly asker: Asker
  /** Whether the user has approved the call, and the question showed the whole call. */
  approved: boolean
}

/** The reasons `MAY_CHANGE` and `MAY_SEND` come from the user's policy; all other reasons come from the preset. */
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
    // Does not ask again about a call that the user has already approved as a whole.
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

/** Whether the call's input shows everything that the request asks for: no separate path, and no command other than the input's own. */
const isWholeCall = ({ input, path, command }: ApprovalRequest): boolean =>
  path === undefined && (command === undefined || Reflect.get(Object(input), 'command') === command)
