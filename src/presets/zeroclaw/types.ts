import type { SecurityPolicy, SecurityPolicyOptions } from '../../core/security/index.js'
import type { RuntimePolicy } from '../../types/runtime.js'
import type { JsonSchema } from '../../types/tool.js'

/** The result of every documented tool. */
export interface ZeroclawToolResult {
  readonly success: boolean
  /** Structured output is JSON text. */
  readonly output: string
  readonly error: string | null
}

/** A tool as a model sees it. */
export interface ZeroclawToolSpec {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** Options of the preset `zeroclaw`. */
export interface ZeroclawOptions {
  /** A policy of `createSecurityPolicy`, or its options; the root defaults to the workspace's root. Default: all defaults. */
  readonly security?: SecurityPolicy | SecurityPolicyOptions
  /** The sender whose hourly limit the calls count against. Default: one sender for all calls. */
  readonly sender?: string
  /**
   * Decides about approvals; only `true` approves. With `approve`, the policy ignores `approved` in the model's input. Without `approve`,
   * `approved: true` in a call approves its command, as documented, and tools that need approval are denied.
   */
  readonly approve?: RuntimePolicy['approve']
  /** Adds `file_write` and `file_edit`, which the original agent has but its document does not describe. Default false. */
  readonly fileTools?: boolean
}
