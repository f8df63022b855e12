import { required } from '../errors/required.js'
import type { ToolRuntime } from '../runtime/tool-runtime.js'

/** @throws TypeError if the runtime lacks one of the tools that `name` needs */
export function checkTools(runtime: ToolRuntime, name: string, needs: readonly string[]): void {
  const offered = new Set(
    required(`"${name}"`, 'a ToolRuntime', runtime, 'getModelManifest')
      .getModelManifest()
      .map((entry) => entry.name),
  )
  const missing = needs.find((tool) => !offered.has(tool))
  if (missing !== undefined) throw new TypeError(`Cannot offer "${name}": the runtime has no tool "${missing}", or no adapter for it`)
}
