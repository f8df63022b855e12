import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { AnyTool } from '../../types/tool.js'

/** Port of a tool -> what provides it on the command line. */
const PROVIDERS: Readonly<Record<string, string>> = {
  shell: '--shell: "virtual" is a bash in JavaScript, "node" a real shell, which the workspace does not restrict',
  js: '--js: "sandbox" reaches only the workspace, "node" is Node itself, for trusted programs',
}

/** Describes the ports that a tool lacks, for the user: `--shell: ...`. Undefined if nothing is missing. */
export function missingFor(
  { requires = [] }: Pick<AnyTool, 'requires'>,
  { available }: Pick<ToolRuntime, 'available'>,
): string | undefined {
  const need = requires.find((one) => !available.has(one))
  if (need === undefined) return undefined
  const port = need.replace('.spawn', '') as typeof need
  // The port exists, but without sessions.
  return (available.has(port) ? undefined : PROVIDERS[port]) ?? `the port "${need}"`
}
