import type { ToolResult } from 'toolport'

interface Move {
  /** Virtual path. */
  readonly from: string
  readonly to: string
}

/** The files that a call moved: by `move_file`, or by a patch of the standard tools that was not a dry run. */
export function movesIn(result: ToolResult): readonly Move[] {
  const output: unknown = result.ok ? result.output : undefined
  if (typeof output !== 'object' || output === null) return []
  if ('from' in output && 'to' in output) return move(output.from, output.to)
  if (!('changes' in output) || !Array.isArray(output.changes) || ('dry_run' in output && output.dry_run === true)) return []
  return output.changes.flatMap(({ kind, from, path }: Readonly<Record<string, unknown>>) => (kind === 'move' ? move(from, path) : []))
}

function move(from: unknown, to: unknown): Move[] {
  return typeof from === 'string' && typeof to === 'string' ? [{ from, to }] : []
}
