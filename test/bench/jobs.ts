import type { ToolRuntime } from 'toolport'
import { directories, NEEDLE, RARE, ROOT, source, sources, tree, type World } from './worlds.js'

/** One tool call that is repeated. Every second edit undoes the edit before it, so that the files stay the same. */
export interface Job {
  readonly name: string
  readonly tool: string
  readonly world: () => World
  readonly inputs: readonly Record<string, unknown>[]
  /** The floor's Map contains directories, as keys that end with a slash, for `list` to find. */
  readonly listed?: true
}

export const FILE = 'pkg07/module-0507.ts'
export const OLD = 'compute(507, 50)'
export const NEW = 'calculate(507, 50)'

const rewrite = (from: string, to: string): Record<string, unknown> => ({ path: FILE, content: source(507).replace(from, to) })
const change = (from: string, to: string): Record<string, unknown> => ({ path: FILE, edits: [{ old_string: from, new_string: to }] })

// 10,000 entries with the directories: the maximum of one `list_files` call.
const fullTree = (): World => tree(9900)

export const jobs = {
  read: { name: 'read 100 lines', tool: 'read_file', world: sources, inputs: [{ path: FILE }] },
  edit: { name: 'edit one string, with diff', tool: 'edit_file', world: sources, inputs: [change(OLD, NEW), change(NEW, OLD)] },
  grep: { name: 'grep 1,000 x 100 lines, 50 hits', tool: 'grep', world: sources, inputs: [{ pattern: NEEDLE }] },
  rare: { name: 'grep 1,000 x 100 lines, 1 hit', tool: 'grep', world: sources, inputs: [{ pattern: RARE }] },
  glob: { name: 'glob 10,000, 1,000 hits', tool: 'glob', world: () => tree(10_000), inputs: [{ pattern: '**/*.md' }] },
  list: { name: 'list 10,000, complete', tool: 'list_files', world: fullTree, inputs: [{ recursive: true, limit: 10_000 }], listed: true },
  write: {
    name: 'write 100 lines, one changed, with diff',
    tool: 'write_file',
    world: sources,
    inputs: [rewrite(OLD, NEW), rewrite(NEW, OLD)],
  },
} as const satisfies Record<string, Job>

/** The input with an absolute path, because the floor's Map has absolute paths only. */
export function absolute(input: Record<string, unknown>): Record<string, unknown> {
  return typeof input.path === 'string' ? { ...input, path: `${ROOT}/${input.path}` } : input
}

/** The files of the floor. */
export function mapOf({ world, listed }: Job): Map<string, string> {
  const files = world()
  const dirs: [string, string][] = listed ? directories(files).map((path) => [`${path}/`, '']) : []
  return new Map([...dirs, ...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the values one after another, and starts over after the last. */
export function inTurn<T>(values: readonly T[]): () => T {
  let next = 0
  return () => values[next++ % values.length] as T
}

/** Calls the tool and returns its output. A failed call throws, because it would be measured as a fast call. */
export function caller(runtime: ToolRuntime, tool: string, inputs: readonly Record<string, unknown>[]): () => Promise<unknown> {
  const next = inTurn(inputs)
  return async () => {
    const result = await runtime.execute({ name: tool, input: next() })
    if (!result.ok) throw new Error(result.error)
    return result.output
  }
}
