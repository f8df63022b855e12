import { PolicyError, UnsupportedError } from '../../errors/index.js'
import { createLimit } from '../../ops/concurrency.js'
import type { JsAdapter, JsGrants } from '../../types/js.js'
import type { JsonValue, ToolContext, ToolFailure } from '../../types/tool.js'
import type { JsSettings } from './options.js'

/** The tool requires the port, so the runtime does not run the tool without it. */
export const jsOf = (context: ToolContext): JsAdapter => context.js as JsAdapter

/**
 * Returns the grants of a program in this call. With `lasting`, the program outlives the call, so it gets no tools.
 *
 * @throws {PolicyError} read_only, {UnsupportedError} if the adapter cannot keep a program from writing
 */
export function grantsOf(context: ToolContext, { grants }: JsSettings, lasting = false): JsGrants {
  const { workspace, fetch } = context
  const fs = workspace.readOnly && grants.fs === 'write' ? 'read' : grants.fs
  checkKept(jsOf(context), fs, workspace.readOnly)
  const invokeTool = lasting || grants.tools === false ? undefined : invokerOf(context, grants.tools)
  return { fs, ...(grants.fetch && fetch && { fetch }), ...(invokeTool && { invokeTool }) }
}

/**
 * Rejects restricted file access with an adapter that is not isolated, because such an adapter gives a program the whole machine,
 * regardless of grants.
 *
 * @throws {PolicyError} read_only, {UnsupportedError}
 */
export function checkKept({ name, can }: JsAdapter, fs: JsGrants['fs'], readOnly: boolean): void {
  if (can.isolated || fs === 'write') return
  const why = `programs of the JavaScript adapter "${name}" can write anywhere`
  if (readOnly) throw new PolicyError('read_only', `Cannot run the program: the workspace is read-only, and ${why}`, 'readOnly')
  throw new UnsupportedError('js.isolated', `Cannot run the program: it has no grant to write files, and ${why}`, name)
}

type InvokeTool = NonNullable<JsGrants['invokeTool']>

/** Maximum number of concurrent calls of one program; further calls wait. */
const WIDEST = 8

/** The error that a program catches if its tool call failed. */
class ToolFailed extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  readonly output: ToolFailure

  constructor(message: string, output: ToolFailure) {
    super(message)
    this.code = output.code
    this.output = output
  }
}

/** Returns the `invokeTool` of a program, which makes nested calls of the runtime. Undefined if the runtime has no nested calls. */
function invokerOf(context: ToolContext, allowed: true | readonly string[]): InvokeTool | undefined {
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
