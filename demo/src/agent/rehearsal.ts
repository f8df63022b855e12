import { branchWorkspace, createRuntime, fileTools, type ToolRuntime } from 'toolport'

/** What a call of a file tool would change, as a unified diff: it is tried in a branch. Undefined where that cannot be told beforehand. */
export async function rehearse(
  workspace: ToolRuntime['workspace'],
  { tool, input }: { readonly tool: string; readonly input: unknown },
  signal: AbortSignal,
): Promise<string | undefined> {
  const tools = fileTools()
  if (!tools.some(({ name }) => name === tool)) return undefined
  const branch = branchWorkspace(workspace)
  try {
    const result = await createRuntime({ workspace: branch.workspace, tools }).execute({ name: tool, input }, { signal })
    const diff: unknown = result.ok ? Reflect.get(Object(result.output), 'diff') : undefined
    return typeof diff === 'string' && diff !== '' ? diff : undefined
  } finally {
    await branch.discard()
  }
}
