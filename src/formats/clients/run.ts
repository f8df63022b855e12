import { required } from '../../errors/required.js'
import { ToolCallError } from '../../runtime/tool-call-error.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ManifestEntry, ToolError, ToolResult } from '../../types/tool.js'
import { toModelText } from '../call-requests.js'

/** How a client identifies a call and stops it. */
export interface ClientCall {
  readonly id?: string | undefined
  readonly signal?: AbortSignal | null | undefined
}

/** Returns the manifest of a runtime. @throws TypeError without a runtime */
export function entriesOf(format: string, runtime: ToolRuntime): readonly ManifestEntry[] {
  return required(format, 'a ToolRuntime', runtime, 'getModelManifest').getModelManifest()
}

/** Runs a call. Never rejects. */
export function run(runtime: ToolRuntime, name: string, input: unknown, { id, signal }: ClientCall): Promise<ToolResult> {
  return runtime.execute({ name, input, ...(id !== undefined && { id }) }, signal ? { signal } : {})
}

/** Creates the error for clients that report an exception of a tool as "Error: <message>". Its message is the error text for the model. */
export function failedCall(result: ToolError): ToolCallError {
  return Object.assign(new ToolCallError(result), { message: toModelText(result).replace(/^Error: /, '') })
}
