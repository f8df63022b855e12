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

type Policy = NonNullable<CreateRuntimeOptions['policy']>

export interface PolicyOptions {
  /** The names of the tools that only read (`readingTools`). */
  readonly reading: readonly string[]
  /** Which policy holds now: it may change between two calls, and while one waits. */
  readonly current: () => PolicyKind
  /** Asks the user. */
  readonly ask: (request: ApprovalRequest) => Promise<boolean>
}

/** The chosen policy as the library takes one: tools that only read are let through, the rest is asked about. */
export function createPolicy({ reading, current, ask }: PolicyOptions): Policy {
  return {
    tools: [
      { tools: reading, action: 'allow' },
      { tools: '*', action: 'ask', reason: 'it may change something' },
    ],
    approve: (request) => (current() === 'ask' ? ask(request) : current() === 'allow'),
  }
}

/** The names of the tools that only read. To be asked of a preset, not of a runtime: what a model has made says of itself what it likes. */
export function readingTools(tools: Preset['tools']): readonly string[] {
  return tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name)
}
