import type { ApprovalRequest, CreateRuntimeOptions, Preset } from 'toolport'

export type PolicyKind = 'ask' | 'allow' | 'read'

export interface PolicyChoice {
  readonly kind: PolicyKind
  readonly label: string
  readonly about: string
}

export const policyChoices: readonly PolicyChoice[] = [
  { kind: 'ask', label: 'Ask first', about: 'Calls that only read run at once. Each other one waits for you.' },
  { kind: 'allow', label: 'Allow all', about: 'Every call runs at once. The timeline takes changes back.' },
  { kind: 'read', label: 'Read only', about: 'The model is offered the tools that only read, and nothing else runs.' },
]

/** Why a web search by a program needs approval. */
export const MAY_SEND = 'a program could send away what it has read'

type Policy = NonNullable<CreateRuntimeOptions['policy']>

export interface PolicyOptions {
  /** Names of the read-only tools (`readingTools`). */
  readonly reading: readonly string[]
  /** Names of the read-only tools that search the web (`searchingTools`). Default: none. */
  readonly searching?: readonly string[]
  /** The current policy. It may change between calls, and while a call waits. */
  readonly current: () => PolicyKind
  /** Whether the model made the call itself, rather than one of its tools. Default: always true. */
  readonly isOwn?: (callId: string) => boolean
  /** Asks the user for approval. */
  readonly ask: (request: ApprovalRequest) => Promise<boolean>
}

/**
 * Converts the chosen policy to the library's format. Read-only tools are allowed; all others need approval or are denied. A web search by
 * a program also needs approval, unless everything is allowed.
 */
export function createPolicy({ reading, searching = [], isOwn = () => true, current, ask }: PolicyOptions): Policy {
  return {
    tools: [
      { tools: reading.filter((name) => !searching.includes(name)), action: 'allow' },
      { tools: searching, action: 'ask', reason: MAY_SEND },
      { tools: '*', action: 'ask', reason: 'it may change something' },
    ],
    async approve(request) {
      if (searching.includes(request.tool) && isOwn(request.callId)) return true
      return current() === 'ask' ? ask(request) : current() === 'allow'
    },
  }
}

/** Names of the read-only tools. Pass a preset's tools, not a runtime's: a tool that the model wrote could claim to be read-only. */
export function readingTools(tools: Preset['tools']): readonly string[] {
  return tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name)
}

/** Names of the read-only tools that contact services outside the workspace. */
export function searchingTools(tools: Preset['tools']): readonly string[] {
  return readingTools(tools.filter(({ annotations }) => annotations?.openWorldHint === true))
}
