import { type AnyTool, branchWorkspace, createRuntime, fileTools, metaTools, type ToolRuntime } from 'toolport'

type Workspace = ToolRuntime['workspace']

/**
 * Previews the changes of a call as a unified diff, by running the call in a branch. Undefined if no preview is possible. `tools` lists the
 * tools that can be previewed; tools that need more than the workspace, such as a shell, cannot.
 */
export async function rehearse(
  workspace: Workspace,
  { tool, input }: { readonly tool: string; readonly input: unknown },
  signal: AbortSignal,
  tools: readonly AnyTool[] = fileTools(),
): Promise<string | undefined> {
  const one = tools.find(({ name, requires = [] }) => name === tool && requires.length === 0)
  if (!one) return undefined
  const branch = branchWorkspace(workspace)
  try {
    const before = await branch.workspace.checkpoint()
    const result = await createRuntime({ workspace: branch.workspace, tools: [one] }).execute({ name: tool, input }, { signal })
    return result.ok ? (diffIn(result.output) ?? (await compared(branch.workspace, before.id, signal))) : undefined
  } finally {
    await branch.discard()
  }
}

/** Computes the diff for tools that do not return one. */
async function compared(workspace: Workspace, checkpoint: string, signal: AbortSignal): Promise<string | undefined> {
  const call = { name: 'diff_checkpoint', input: { checkpoint } }
  const result = await createRuntime({ workspace, tools: metaTools() }).execute(call, { signal })
  return result.ok ? diffIn(result.output) : undefined
}

function diffIn(output: unknown): string | undefined {
  const diff: unknown = Reflect.get(Object(output), 'diff')
  return typeof diff === 'string' && diff !== '' ? diff : undefined
}
