import type { AnyTool, InputIssue, ToolResult } from './tool.js'

/** The words of a failure: the error, or the error and more fields for its output (which keeps status, code, callId and tool). */
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
  /** A result in the preset's own shape. Pure. */
  readonly toWire?: (result: ToolResult) => unknown
}
