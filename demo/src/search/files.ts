import type { ToolError, ToolRuntime } from 'toolport'

export interface FilesInput {
  readonly pattern: readonly string[]
  readonly hidden: boolean
  readonly ignore: boolean
}

/** How many paths a page has: the first one is there soon, the later ones are larger. */
export interface PageSizes {
  readonly first: number
  readonly most: number
}

/** A tool has refused its input, or could not do its work. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
  readonly tool: string

  constructor({ error, output }: ToolError) {
    super(error)
    this.tool = output.tool
  }
}

/** @throws ToolFailed; the reason of the signal, when it has aborted meanwhile */
export async function callFor<Output>(
  runtime: ToolRuntime,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Output> {
  const result = await runtime.execute({ name, input }, { signal })
  // A tool that is stopped hands in what it has; nobody wants that any more.
  signal.throwIfAborted()
  if (!result.ok) throw new ToolFailed(result)
  return result.output as Output
}

interface GlobPage {
  readonly paths: readonly string[]
  readonly next?: string
}

/** The files that fit, by the tool `glob`: absolute paths in path order, a page at a time. */
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
