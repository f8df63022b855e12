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

/** Why a program is not to search the web unasked. */
export const MAY_SEND = 'a program could send away what it has read'

type Policy = NonNullable<CreateRuntimeOptions['policy']>

export interface PolicyOptions {
  /** The names of the tools that only read (`readingTools`). */
  readonly reading: readonly string[]
  /** Those of them that search the web (`searchingTools`). Default none. */
  readonly searching?: readonly string[]
  /** Which policy holds now: it may change between two calls, and while one waits. */
  readonly current: () => PolicyKind
  /** Whether the model itself has made a call, and not one of its tools. Default: all are its own. */
  readonly isOwn?: (callId: string) => boolean
  /** Asks the user. */
  readonly ask: (request: ApprovalRequest) => Promise<boolean>
}

/**
 * The chosen policy as the library takes one: tools that only read are let through, the rest is asked about, or denied. So is a search of the
 * web that a program makes, but where everything is allowed.
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

/** The names of the tools that only read. To be asked of a preset, not of a runtime: what a model has made says of itself what it likes. */
export function readingTools(tools: Preset['tools']): readonly string[] {
  return tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name)
}

/** The names of the tools that only read, and ask others outside of the workspace for it. */
export function searchingTools(tools: Preset['tools']): readonly string[] {
  return readingTools(tools.filter(({ annotations }) => annotations?.openWorldHint === true))
}
