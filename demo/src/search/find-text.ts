import type { ToolRuntime } from 'toolport'
import { callFor, listFiles } from './files.js'
import { filesOf, patternOf, type Query } from './query.js'

/** A line that fits. */
export interface FoundLine {
  /** Relative to the root. */
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** The line; a very long one is cut, with marks for what is left out. */
  readonly text: string
}

/** Files that were not searched, and lines, by reason. */
export type Skipped = Readonly<Partial<Record<'binary' | 'too_large' | 'unreadable' | 'long_lines', number>>>

export interface Found {
  readonly lines: readonly FoundLine[]
  readonly searched: number
  readonly skipped: Skipped
}

/** Files in one call of `grep`; a list of globs may hold 1,000. */
const SLICE = { first: 32, most: 800 }
/** Lines in one answer: few enough to be drawn at once. */
const PAGE = 1000
const LONGEST_GLOB = 4000

interface GrepPage {
  readonly matches: readonly FoundLine[]
  readonly files_searched: number
  readonly skipped?: Skipped
  readonly next?: string
}

/**
 * Searches the files that `glob` lists with `grep`, in slices: what a slice has found is there when it ends. In path order, but for names
 * that no glob can spell.
 */
export async function* findText(runtime: ToolRuntime, query: Query, signal: AbortSignal): AsyncGenerator<Found> {
  const { workspace } = runtime
  // The files are chosen already; what else `grep` would leave out has been asked for.
  const input = { ...patternOf(query), output: 'content', limit: PAGE, hidden: true, ignore: false }
  for await (const paths of listFiles(runtime, filesOf(query, workspace.root), SLICE, signal)) {
    const names = paths.map((path) => workspace.relative(path))
    const spelled = names.filter(canSpell)
    if (spelled.length > 0) yield* searchIn(runtime, { ...input, path: workspace.root, glob: spelled.map(spell) }, signal)
    for (const path of names) if (!canSpell(path)) yield* searchIn(runtime, { ...input, path: `${workspace.root}/${path}` }, signal)
  }
}

async function* searchIn(runtime: ToolRuntime, input: Readonly<Record<string, unknown>>, signal: AbortSignal): AsyncGenerator<Found> {
  let cursor: string | undefined
  do {
    const asked = { ...input, ...(cursor !== undefined && { cursor }) }
    const { matches, files_searched, skipped = {}, next } = await callFor<GrepPage>(runtime, 'grep', asked, signal)
    const lines = matches.map(({ path, line, text }) => ({ path: runtime.workspace.relative(path), line, text }))
    // A page begins in the file where the one before it ended.
    yield { lines, searched: files_searched - (cursor === undefined ? 0 : 1), skipped }
    cursor = next
  } while (cursor !== undefined)
}

/** A few private characters stand for something else in globs. */
const canSpell = (path: string): boolean => !/[\ue000-\ue003]/.test(path) && spell(path).length < LONGEST_GLOB

/** The glob of this very path. With a slash, so that it is not looked for at any depth. */
const spell = (path: string): string => `./${path.replace(/[\\*?[\]{}(),!+@|]/g, '\\$&')}`
