import type { ToolError, ToolRuntime } from 'toolport'

export interface FilesInput {
  readonly pattern: readonly string[]
  readonly hidden: boolean
  readonly ignore: boolean
}

/** Page sizes for listing paths: a small first page for a quick start, then growing pages. */
export interface PageSizes {
  readonly first: number
  readonly most: number
}

/** A tool rejected its input or failed. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
  readonly tool: string

  constructor({ error, output }: ToolError) {
    super(error)
    this.tool = output.tool
  }
}

/** @throws ToolFailed; or the signal's reason if it has aborted meanwhile */
export async function callFor<Output>(
  runtime: ToolRuntime,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Output> {
  const result = await runtime.execute({ name, input }, { signal })
  // A stopped tool returns partial results, which are no longer needed.
  signal.throwIfAborted()
  if (!result.ok) throw new ToolFailed(result)
  return result.output as Output
}

interface GlobPage {
  readonly paths: readonly string[]
  readonly next?: string
}

/** The matching files by `glob`: absolute paths in path order, page by page. */
export async function* listFiles(
  runtime: ToolRuntime,
  input: FilesInput,
  { first, most }: PageSizes,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  let cursor: string | undefined
  for (let limit = first; ; limit = Math.min(2 * limit, most)) {
    const asked = { ...input, limit, ...(cursor !== undefined && { cursor }) }
    const { paths, next } = await callFor<GlobPage>(runtime, 'glob', asked, signal)
    yield paths
    if (next === undefined) return
    cursor = next
  }
}
