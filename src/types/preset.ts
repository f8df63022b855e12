import type { AnyTool, InputIssue, Limits, ToolCall, ToolError, ToolResult } from './tool.js'

/**
 * The words of a failure: the error, or the error and more fields for its output. Status, code, callId and tool stay; our own hint and
 * issues go, unless `details` has them.
 */
export type PresetAnswer = string | { readonly error: string; readonly details?: Readonly<Record<string, unknown>> }

/** A set of tools with the manners of one agent: how strictly input is read, and how answers look. */
export interface Preset {
  readonly name: string
  readonly tools: readonly AnyTool[]
  /**
   * `strict` takes input as the schema says. `lenient`, where that fails, puts right what is plainly meant (`"5"` for a number, JSON
   * text for an object, null for an absent field, unknown fields) and tries once more.
   */
  readonly validation: 'strict' | 'lenient'
  readonly renderInvalid?: (tool: string, issues: readonly InputIssue[]) => PresetAnswer
  readonly renderUnknown?: (tool: string) => PresetAnswer
  /** Every failure that the two above have no words for: a tool's own, a refusal, a deadline. Undefined leaves it as it is. */
  readonly renderFailure?: (failure: ToolError) => PresetAnswer | undefined
  /** A result in the preset's own shape. Pure. */
  readonly toWire?: (result: ToolResult, call: ToolCall) => unknown
  /** In place of `defaultLimits`; what the runtime is given comes before them. */
  readonly limits?: Partial<Limits>
}
