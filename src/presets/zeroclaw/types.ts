import type { SecurityPolicy, SecurityPolicyOptions } from '../../core/security/index.js'
import type { RuntimePolicy } from '../../types/runtime.js'
import type { JsonSchema } from '../../types/tool.js'

/** What every documented tool answers. */
export interface ZeroclawToolResult {
  readonly success: boolean
  /** Structured output is JSON text. */
  readonly output: string
  readonly error: string | null
}

/** A tool as a model is offered it. */
export interface ZeroclawToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

export interface ZeroclawOptions {
  /** A policy made by `createSecurityPolicy`, or options for one; its root is then the workspace's own unless given. Default all defaults. */
  readonly security?: SecurityPolicy | SecurityPolicyOptions
  /** Whose hour the actions count in; default one for all calls. */
  readonly sender?: string
  /**
   * Asked about what the policy wants approved; only `true` is a yes. With it, the model's own `approved` counts for nothing. Without it,
   * `approved: true` of a call approves its command, as documented, and tools that are to be asked about are refused.
   */
  readonly approve?: RuntimePolicy['approve']
  /** Adds `file_write` and `file_edit`, which the agent has and its document does not describe. Default false. */
  readonly fileTools?: boolean
}
