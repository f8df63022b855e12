import { compileGlob } from '../../ops/glob.js'
import type { FileKind } from '../../types/fs.js'
import type { ToolContext } from '../../types/tool.js'
import type { WalkFilter } from '../../types/workspace.js'

/** What an empty answer has left out by the rules of its call. */
export interface LeftOut {
  readonly hidden?: number
  readonly ignored?: number
  readonly links?: number
  /** Directories, where files are asked for. */
  readonly dirs?: number
}

export interface Asked {
  readonly pattern: string | readonly string[]
  readonly path: string
  readonly kind: FileKind | 'any'
  readonly hidden: boolean
  readonly anyDepth?: boolean
  readonly maxDepth?: number
}

/** Entries looked at, so that a tree that is ignored for its size does not make an empty answer slow. */
const MOST = 10_000

/** The filter of a call: its globs, relative to where it starts or absolute. */
export async function filterOf({ workspace }: ToolContext, asked: Asked): Promise<ReturnType<typeof compileGlob>> {
  const { pattern, path, kind, hidden: dots, anyDepth = false } = asked
  const base = { start: await workspace.realpath(path), root: workspace.root }
  return compileGlob(pattern, { kind, dots, base, anyDepth })
}

/** Looks for what would have fitted if nothing had been left out. `seen`: what fitted, and was not left out. */
export async function leftOut(context: ToolContext, asked: Asked, seen = 0): Promise<LeftOut> {
  const { workspace, signal } = context
  const all = await filterOf(context, { ...asked, kind: 'any', hidden: true })
  const wanted = asked.kind === 'any' ? undefined : asked.kind
  // A directory is no surprise where everything fits.
  const tellsDirs = wanted === 'file' && ![asked.pattern].flat().some((pattern) => pattern.endsWith('**'))
  const shown = await filterOf(context, asked)
  const start = await workspace.realpath(asked.path)
  const counts = { hidden: 0, ignored: 0, links: 0, dirs: 0 }
  let looked = 0
  const filter: WalkFilter = {
    start: all.start,
    enter: (state, name) => (looked > MOST ? undefined : all.enter(state as typeof all.start, name)),
    accept: (state, name, kind) => {
      const at = state as typeof all.start
      if (looked++ > MOST) return false
      if (kind === 'symlink') return all.accept(at, name, wanted ?? kind) || all.enter(at, name) !== undefined
      return (wanted === undefined || kind === wanted || (kind === 'dir' && tellsDirs)) && all.accept(at, name, kind)
    },
  }
  const { maxDepth } = asked
  const options = { filter, ignore: false, usable: true, onError: () => undefined, signal, ...(maxDepth !== undefined && { maxDepth }) }
  try {
    for await (const run of workspace.walk(asked.path, options)) {
      for (const { path, kind } of run) {
        const relative = path.slice(start === '/' ? 1 : start.length + 1) + (kind === 'dir' ? '/' : '')
        if (kind === 'symlink' && asked.kind !== 'symlink') counts.links++
        else if (kind === 'dir' && tellsDirs) counts.dirs++
        else if (shown.matches(relative)) counts.ignored++
        else counts.hidden++
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  // Of a large tree it is not known how much of what was seen is among the entries that were looked at here.
  counts.ignored = seen > 0 && looked > MOST ? 0 : counts.ignored - seen
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
