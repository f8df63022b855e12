import type { ToolRuntime } from 'toolport'
import { callFor, listFiles } from './files.js'
import { filesOf, patternOf, type Query } from './query.js'

/** A matching line. */
export interface FoundLine {
  /** Relative to the root. */
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Text of the line. Very long lines are cut, and marks show what is missing. */
  readonly text: string
}

/** Numbers of skipped files and lines, by reason. */
export type Skipped = Readonly<Partial<Record<'binary' | 'too_large' | 'unreadable' | 'long_lines', number>>>

export interface Found {
  readonly lines: readonly FoundLine[]
  readonly searched: number
  readonly skipped: Skipped
}

/** Files per `grep` call. A list of globs is limited to 1,000. */
const SLICE = { first: 32, most: 800 }
/** Lines per answer: few enough to draw at once. */
const PAGE = 1000
const LONGEST_GLOB = 4000

interface GrepPage {
  readonly matches: readonly FoundLine[]
  readonly files_searched: number
  readonly skipped?: Skipped
  readonly next?: string
}

/**
 * Searches the files that `glob` lists with `grep`, slice by slice, and yields results after each slice. In path order, except names that
 * no glob can express.
 */
export async function* findText(runtime: ToolRuntime, query: Query, signal: AbortSignal): AsyncGenerator<Found> {
  const { workspace } = runtime
  // `glob` has already applied the file filters, so `grep` must not filter again.
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
    // Each page after the first starts in the file where the previous page ended, so that file was already counted.
    yield { lines, searched: files_searched - (cursor === undefined ? 0 : 1), skipped }
    cursor = next
  } while (cursor !== undefined)
}

/** Whether a glob can name the path: not if it is too long, or contains one of a few private-use characters that the tools reserve. */
const canSpell = (path: string): boolean => !/[\ue000-\ue003]/.test(path) && spell(path).length < LONGEST_GLOB

/** The glob that matches exactly this path. The leading `./` prevents a match at other depths. */
const spell = (path: string): string => `./${path.replace(/[\\*?[\]{}(),!+@|]/g, '\\$&')}`
