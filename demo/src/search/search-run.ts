import type { ToolRuntime } from 'toolport'
import { type FoundLine, findText, type Skipped } from './find-text.js'
import { createMarker, type Marker } from './marks.js'
import { isCut } from './preview.js'
import type { Query } from './query.js'

/** Maximum number of lines shown, because each line takes memory. */
export const MOST_LINES = 10_000
/** Milliseconds. Faster searches show no progress. */
const SLOW_MS = 300

export interface SearchRun {
  readonly state: 'running' | 'done' | 'stopped' | 'failed'
  /** Whether the search takes long enough to show its progress. */
  readonly isSlow: boolean
  /** Number of files. */
  readonly searched: number
  readonly skipped: Skipped
  /** Whether there are more lines than shown. */
  readonly isMore: boolean
  readonly problem: unknown
  /** Stops the search. Keeps the results found so far and reports nothing more. */
  stop(): void
}

export interface SearchRunOptions {
  readonly onFound: (lines: readonly FoundLine[], mark: Marker) => void
  readonly onChange: () => void
}

/** One search, from start to end. */
export function startSearch(runtime: ToolRuntime, query: Query, { onFound, onChange }: SearchRunOptions): SearchRun {
  const control = new AbortController()
  const { signal } = control
  const run = {
    state: 'running' as SearchRun['state'],
    isSlow: false,
    searched: 0,
    skipped: {} as Skipped,
    isMore: false,
    problem: undefined as unknown,
  }
  const timer = setTimeout(() => {
    run.isSlow = true
    onChange()
  }, SLOW_MS)
  let count = 0

  async function search(): Promise<void> {
    let mark: Marker | undefined
    for await (const { lines, searched, skipped } of findText(runtime, query, signal)) {
      // Created after the first results, when the tool has already validated the pattern.
      if (lines.length > 0) mark ??= await createMarker(query)
      signal.throwIfAborted()
      run.searched += searched
      run.skipped = sum(run.skipped, skipped)
      if (mark) take(lines, mark)
      onChange()
      if (run.isMore) return
      // Yields between slices: an in-memory search would otherwise block rendering and input until its end.
      await runtime.workspace.host.yield()
      signal.throwIfAborted()
    }
  }

  function take(lines: readonly FoundLine[], mark: Marker): void {
    // The tool's `\b` knows only ASCII letters, so filter whole-word matches of other words here.
    const fitting = query.wholeWord && !query.isPattern ? lines.filter(({ text }) => isCut(text) || mark(text).length > 0) : lines
    run.isMore = count + fitting.length > MOST_LINES
    const shown = fitting.slice(0, MOST_LINES - count)
    count += shown.length
    onFound(shown, mark)
  }

  async function settle(): Promise<void> {
    try {
      await search()
      run.state = 'done'
    } catch (error) {
      if (signal.aborted) return
      run.state = 'failed'
      run.problem = error
    } finally {
      clearTimeout(timer)
    }
    onChange()
  }

  void settle()
  return Object.assign(run, {
    stop() {
      if (run.state !== 'running') return
      run.state = 'stopped'
      clearTimeout(timer)
      control.abort()
    },
  })
}

function sum(a: Skipped, b: Skipped): Skipped {
  const reasons = [...Object.keys(a), ...Object.keys(b)] as (keyof Skipped)[]
  return Object.fromEntries(reasons.map((reason) => [reason, (a[reason] ?? 0) + (b[reason] ?? 0)]))
}
