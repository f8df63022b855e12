import type { AnyTool, InputIssue, Limits, ToolCall, ToolError, ToolResult } from './tool.js'

/**
 * The text of a failure in a preset: the error message, optionally with additional output fields. The fields status, code, callId and tool
 * stay. The standard hint and issues are dropped, unless `details` contains them.
 */
export type PresetAnswer = string | { readonly error: string; readonly details?: Readonly<Record<string, unknown>> }

/** A set of tools that imitates one agent: its tools, how strictly it validates input, and the form of its answers. */
export interface Preset {
  readonly name: string
  readonly tools: readonly AnyTool[]
  /**
   * `strict` validates input by the schema. `lenient` repairs obvious mistakes of invalid input (`"5"` for a number, JSON text for an
   * object, null for an optional field, unknown fields), and validates once more.
   */
  readonly validation: 'strict' | 'lenient'
  readonly renderInvalid?: (tool: string, issues: readonly InputIssue[]) => PresetAnswer
  readonly renderUnknown?: (tool: string) => PresetAnswer
  /**
   * Renders every other failure: a tool's own error, a denial, a timeout. If the function returns undefined, the failure stays unchanged.
   */
  readonly renderFailure?: (failure: ToolError) => PresetAnswer | undefined
  /** Converts a result to the preset's own format. Must be a pure function. */
  readonly toWire?: (result: ToolResult, call: ToolCall) => unknown
  /** Default limits instead of `defaultLimits`. Limits passed to the runtime take precedence. */
  readonly limits?: Partial<Limits>
}
