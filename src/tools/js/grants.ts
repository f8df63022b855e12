import { PolicyError, UnsupportedError } from '../../errors/index.js'
import type { JsAdapter, JsGrants } from '../../types/js.js'
import type { ToolContext } from '../../types/tool.js'
import { invokerOf } from './invoke.js'
import type { JsSettings } from './options.js'

/** The tool requires the port, so the runtime does not run it without. */
export const jsOf = (context: ToolContext): JsAdapter => context.js as JsAdapter

/**
 * What a program of this call is granted. `lasting`: it goes on when the call has ended, and tools do not.
 *
 * @throws {PolicyError} read_only, {UnsupportedError} where the adapter cannot keep a program from writing
 */
export function grantsOf(context: ToolContext, { grants }: JsSettings, lasting = false): JsGrants {
  const { workspace, fetch } = context
  const fs = workspace.readOnly && grants.fs === 'write' ? 'read' : grants.fs
  checkKept(jsOf(context), fs, workspace.readOnly)
  const invokeTool = lasting || grants.tools === false ? undefined : invokerOf(context, grants.tools)
  return { fs, ...(grants.fetch && fetch && { fetch }), ...(invokeTool && { invokeTool }) }
}

/**
 * An adapter that is not isolated gives a program the whole machine, whatever it is granted.
 *
 * @throws {PolicyError} read_only, {UnsupportedError}
 */
export function checkKept({ name, can }: JsAdapter, fs: JsGrants['fs'], readOnly: boolean): void {
  if (can.isolated || fs === 'write') return
  const why = `a program of the JavaScript adapter "${name}" writes where it likes`
  if (readOnly) throw new PolicyError('read_only', `Cannot run the program: the workspace is read-only, and ${why}`, 'readOnly')
  throw new UnsupportedError('js.isolated', `Cannot run the program: it is not granted to write files, and ${why}`, name)
}
