import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { AnyTool } from '../../types/tool.js'

/** What provides each port on the command line, by the name of the port. */
const PROVIDERS: Readonly<Record<string, string>> = {
  shell: '--shell: "virtual" is a bash in JavaScript, "node" a real shell, which the workspace does not restrict',
  fetch: '--registry: the URL of a package registry',
  js: '--js: "sandbox" reaches only the workspace, "node" is Node itself, for trusted programs',
}

/** Describes the first port that a tool lacks, for the user: `--shell: ...`. Returns undefined if the tool lacks no port. */
export function missingFor(
  { requires = [] }: Pick<AnyTool, 'requires'>,
  { available }: Pick<ToolRuntime, 'available'>,
): string | undefined {
  const need = requires.find((one) => !available.has(one))
  if (need === undefined) return undefined
  const port = need.replace('.spawn', '') as typeof need
  // If the port itself is available, it only lacks sessions, which no option provides.
  return (available.has(port) ? undefined : PROVIDERS[port]) ?? `the port "${need}"`
}
