import type { ApprovalRequest, CreateRuntimeOptions, Preset, RuntimeEvent, ToolRuntime } from 'toolport'
import { MAY_SEND, type PolicyKind, readingTools } from '../agent/policies.js'

type Policy = NonNullable<CreateRuntimeOptions['policy']>

/** What a person is asked. */
export interface Question {
  readonly request: ApprovalRequest
  /** The preset's own policy wants it approved, whatever the person has chosen. */
  readonly byPreset: boolean
  /** The tool that has made the call by itself; undefined: the person has. */
  readonly madeBy: string | undefined
}

/** Who answers for a call. */
export interface Asker {
  /** What the person has chosen: it may change while the call runs. */
  readonly policy: () => PolicyKind
  readonly ask: (question: Question) => Promise<boolean>
}

/** What stands between the calls of one runtime and its tools: the preset's own policy, and the person's. */
export interface CallGate {
  /** For a preset that asks by itself. */
  readonly approve: (request: ApprovalRequest) => Promise<boolean>
  /** For the runtime. What the rules of the preset allow is the person's to allow. `searching`: names of tools that search, and may come. */
  policyFor(tools: Preset['tools'], own: Policy | undefined, searching?: readonly string[]): Policy
  /**
   * Whether a tool searches the web, by what it is: another one may have its name by now. It only reads, but a program could send away what
   * it has read with it: such a call of the person's own runs like those that read, another one like those that change something.
   */
  searches(isSearch: (name: string) => boolean): void
  /**
   * Runs a call for which somebody answers, as for those that its tool makes. Calls that run otherwise are what the page does by itself:
   * the person is not asked about these, and what the preset wants approved is denied, as is a search of the web.
   */
  answering<T>(runtime: ToolRuntime, call: { readonly id: string; readonly tool: string }, asker: Asker, run: () => Promise<T>): Promise<T>
}

interface AnsweredCall {
  readonly tool: string
  readonly madeBy: string | undefined
  readonly asker: Asker
  /** The person has seen this very call, and approved it. */
  approved: boolean
}

/** By it, and by `MAY_SEND`, the person's choice is told from what a preset wants approved. */
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
    // One question for one call, where the second would be about what was seen with the first.
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

/** Whether who has seen the call has seen all that the request is about. */
const isWholeCall = ({ input, path, command }: ApprovalRequest): boolean =>
  path === undefined && (command === undefined || Reflect.get(Object(input), 'command') === command)
