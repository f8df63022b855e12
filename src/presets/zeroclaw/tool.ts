import { normaliseOutput } from '../../core/result.js'
import type { CallContext } from '../../types/runtime.js'
import type { JsonSchema } from '../../types/tool.js'
import type { ZeroclawToolResult, ZeroclawToolSpec } from './types.js'

/** Any object with the documented methods is a tool. The schema's method may have either spelling. */
export interface ZeroclawToolLike {
  name(): string
  description(): string
  parametersSchema?(): JsonSchema
  parameters_schema?(): JsonSchema
  /** If it throws, the call fails with the error's message. */
  execute(args: unknown, context?: CallContext): unknown
}

/** The documented interface, with its method `spec`. Extend this class, or write the methods on any object. */
export abstract class Tool implements ZeroclawToolLike {
  /** A stable name in lower case. */
  abstract name(): string
  abstract description(): string
  abstract parametersSchema(): JsonSchema
  abstract execute(args: unknown, context?: CallContext): Promise<ZeroclawToolResult>

  parameters_schema(): JsonSchema {
    return this.parametersSchema()
  }

  spec(): ZeroclawToolSpec {
    return specOf(this)
  }
}

/** Describes a tool for a model. @throws TypeError for a tool without a schema */
export function specOf(tool: ZeroclawToolLike): ZeroclawToolSpec {
  const parameters = tool.parametersSchema?.() ?? tool.parameters_schema?.()
  if (!parameters) throw new TypeError(`Cannot describe the tool "${tool.name()}": it has neither parametersSchema nor parameters_schema`)
  return { name: tool.name(), description: tool.description(), parameters }
}

/** Converts the answer of a custom tool to the documented form: structured output becomes JSON text. */
export function toToolResult(answer: unknown): ZeroclawToolResult {
  if (typeof answer !== 'object' || answer === null || !('success' in answer) || typeof answer.success !== 'boolean') {
    return { success: false, output: '', error: 'The tool answered without success, output and error' }
  }
  const { success, output, error } = answer as { readonly success: boolean; readonly output?: unknown; readonly error?: unknown }
  const told = typeof error === 'string' && error !== '' ? error : undefined
  const text = outputText(output)
  if (text === undefined) return { success: false, output: '', error: 'The output of the tool is no JSON' }
  return { success, output: text, error: told ?? (success ? null : 'The tool failed without an error') }
}

function outputText(output: unknown): string | undefined {
  if (typeof output === 'string') return output
  if (output === undefined || output === null) return ''
  const normal = normaliseOutput(output)
  return normal.ok ? JSON.stringify(normal.value) : undefined
}
