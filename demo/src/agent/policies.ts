import type { ApprovalRequest, CreateRuntimeOptions, ToolRuntime } from 'toolport'

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

type Policy = NonNullable<CreateRuntimeOptions['policy']>

export interface PolicyOptions {
  /** Its tools are the ones that the policy is for. */
  readonly tools: Pick<ToolRuntime, 'registry'>
  /** Which policy holds now: it may change between two calls, and while one waits. */
  readonly current: () => PolicyKind
  /** Asks the user. */
  readonly ask: (request: ApprovalRequest) => Promise<boolean>
}

/** The chosen policy as the library takes one: tools that say of themselves that they only read are let through, the rest is asked about. */
export function createPolicy({ tools, current, ask }: PolicyOptions): Policy {
  return {
    tools: [
      { tools: readingTools(tools), action: 'allow' },
      { tools: '*', action: 'ask', reason: 'it may change something' },
    ],
    approve: (request) => (current() === 'ask' ? ask(request) : current() === 'allow'),
  }
}

/** The names of the tools that only read. */
export function readingTools({ registry }: Pick<ToolRuntime, 'registry'>): readonly string[] {
  return registry
    .list()
    .filter(({ annotations }) => annotations?.readOnlyHint === true)
    .map(({ name }) => name)
}
