import { createLimit } from '../../ops/concurrency.js'
import type { JsGrants } from '../../types/js.js'
import type { JsonValue, ToolContext, ToolFailure } from '../../types/tool.js'

type InvokeTool = NonNullable<JsGrants['invokeTool']>

/** Calls of one program that run at once; more of them wait. */
const WIDEST = 8

/** What a program catches when its tool call failed. */
export class ToolFailed extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  readonly output: ToolFailure

  constructor(message: string, output: ToolFailure) {
    super(message)
    this.code = output.code
    this.output = output
  }
}

/** `invokeTool` of a program: through the runtime, as a call within this one. Undefined where the runtime makes no such calls. */
export function invokerOf(context: ToolContext, allowed: true | readonly string[]): InvokeTool | undefined {
  const { invoke } = context
  if (!invoke) return undefined
  const limited = createLimit(WIDEST)
  return async (name, input, { signal }) => {
    if (typeof name !== 'string') throw new TypeError('invokeTool: the name of the tool is not a string')
    if (allowed !== true && !allowed.includes(name)) throw new Error(`invokeTool: this program may not call "${name}"${offered(allowed)}`)
    return limited(() => outputOf(invoke(name, input, signal)))
  }
}

const offered = (names: readonly string[]): string => (names.length === 0 ? '' : `, only ${names.join(', ')}`)

async function outputOf(running: ReturnType<NonNullable<ToolContext['invoke']>>): Promise<JsonValue> {
  const result = await running
  if (!result.ok) throw new ToolFailed(result.error, result.output)
  return result.output
}
