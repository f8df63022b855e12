import type { LineMatcher } from '../../ops/compile-pattern.js'
import { createGrep, type Grep, type GrepMatch } from '../../ops/grep.js'
import type { ToolContext } from '../../types/tool.js'
import { lacks, SKIMMED_LINE } from '../../workspace/bulk-reads.js'
import { Slicer } from '../../workspace/slicer.js'
import { type Asked, leftOut, missHint, understood } from './exclusions.js'
import { askedOf, type Candidate, candidates } from './grep-files.js'
import { type Piece, pieces, type Refused } from './grep-large.js'
import type { GrepInput, GrepOutput } from './grep-output.js'
import { needleOf } from './line-text.js'
import { badCursor, cursorOf, fromCursor } from './pages.js'
import { type Reason, skippedOf } from './skipped.js'
import { isPassedOver } from './stat-entries.js'

/** Maximum characters of matches and context lines in one result. A runtime checks and renders this many in at most 35 ms. */
const ROOM = 4 * 1024 * 1024
const FULL = 'Fewer matches than "limit": a result holds about 4 Mi characters. Continue with the cursor'

/**
 * A cursor such as `12:src/a.ts`: the last file, and the number of its matches that earlier results contain. The modes `files` and `count`
 * always return a file completely.
 */
interface Position {
  readonly path: string
  readonly given: number
}

type Part = { readonly text: string } & Partial<Omit<Piece, 'text'>>
type Parts = Iterable<Part> | AsyncIterable<Part | Refused>

/** Searches file by file until the limit. Then searches on to the next match, to report whether there are more. */
export async function collect(input: GrepInput, context: ToolContext, matcher: LineMatcher): Promise<GrepOutput> {
  const start = parseCursor(input, context)
  const search = new Collector(input, context, matcher, start)
  const whole = input.output === 'content' && start !== undefined
  const resume = start && { path: start.path, again: whole }
  try {
    const asked = await understood(context, askedOf(input), input.ignore)
    search.hint = asked.hint
    for await (const candidate of candidates(input, asked, context, matcher, resume, (why) => search.skip(why))) {
      if (await search.take(candidate)) break
    }
    if (!search.found && !search.interrupted && start === undefined) {
      await tellLeftOut(asked, context, search)
      if (search.seen === 0 && input.glob !== undefined) search.hint ??= await missHint(context, asked, input.ignore)
    }
  } catch (error) {
    if (!context.signal.aborted || !search.found) throw error
    search.interrupted = true
  }
  return search.output()
}

/** For a result without matches, counts the excluded entries, because a match may be in them. Excluded links are already counted. */
async function tellLeftOut(asked: Asked, context: ToolContext, search: Collector): Promise<void> {
  if ((await context.workspace.stat(asked.path)).kind === 'file') return
  const { hidden = 0, ignored = 0, dirs = 0 } = await leftOut(context, asked, search.seen)
  search.skip('hidden', hidden)
  search.skip('ignored', ignored)
  search.skip('dirs', dirs)
}

class Collector {
  interrupted = false
  hint: string | undefined
  readonly #input: GrepInput
  readonly #context: ToolContext
  readonly #matcher: LineMatcher
  readonly #start: Position | undefined
  readonly #slicer: Slicer
  readonly #matches: ({ readonly path: string } & GrepMatch)[] = []
  readonly #files: { readonly path: string; readonly count: number }[] = []
  readonly #skipped: Partial<Record<Reason, number>> = {}
  /** Number of files that the walk returned. */
  seen = 0
  #searched = 0
  /** Whether the search of the current file may have missed a long match. */
  #missesLong = false
  #size = 0
  #last: Position | undefined
  #more = false

  constructor(input: GrepInput, context: ToolContext, matcher: LineMatcher, start: Position | undefined) {
    this.#input = input
    this.#context = context
    this.#matcher = matcher
    this.#start = start
    this.#slicer = new Slicer(context.host, context)
  }

  get found(): boolean {
    return this.#last !== undefined
  }

  /** Counts skipped entries. */
  skip(reason: Reason, count = 1): void {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + count
  }

  /** Searches one file. @returns true if the search can end */
  async take({ path, text, absent, large, skipped }: Candidate): Promise<boolean> {
    if (this.#context.signal.aborted) {
      this.interrupted = true
      return true
    }
    this.seen += absent ?? 1
    if (absent !== undefined) {
      this.#searched += absent
      return false
    }
    if (large) {
      this.#searched++
      const needle = this.#takesLongLines() ? needleOf(this.#matcher) : undefined
      const pause = async (): Promise<void> => {
        if (this.#slicer.due(1000)) await this.#slicer.pause()
      }
      if (needle && (await lacks(this.#context.workspace, path, needle, pause))) return false
      // Search in pieces, so that memory use does not depend on the file's size.
      return this.#takeParts(path, pieces(path, this.#context, this.#matcher, this.#input.before))
    }
    if (text === undefined) {
      if (skipped) this.skip(skipped)
      return false
    }
    this.#searched++
    const { required } = this.#matcher
    if (required !== undefined && !text.includes(required)) {
      if (this.#slicer.due(1 + (text.length >> 12))) await this.#slicer.pause()
      return false
    }
    return this.#takeParts(path, [{ text }])
  }

  /** Whether this search accepts all lines up to the length that `lacks` allows, so that `lacks` finds no line that is too long. */
  #takesLongLines(): boolean {
    const { slice, longestLine } = this.#matcher
    return slice < Number.POSITIVE_INFINITY && Math.min(longestLine, 4 * this.#context.limits.grepFileBytes) >= SKIMMED_LINE
  }

  output(): GrepOutput {
    const { output } = this.#input
    const more = this.#more || this.interrupted
    return {
      ...(output === 'content' && { matches: this.#matches }),
      ...(output === 'files' && { files: this.#files.map(({ path }) => path) }),
      ...(output === 'count' && { counts: this.#files }),
      files_searched: this.#searched,
      ...skippedOf(this.#skipped),
      ...(this.hint !== undefined && { hint: this.hint }),
      truncated: more,
      ...(this.interrupted && { interrupted: true as const }),
      ...(more && this.#last && { next: `${this.#last.given}:${cursorOf(this.#context.workspace, this.#last.path)}` }),
    }
  }

  async #takeParts(path: string, parts: Parts): Promise<boolean> {
    this.#missesLong = false
    try {
      return await (this.#input.output === 'content' ? this.#takeContent(path, parts) : this.#takeFile(path, parts))
    } catch (error) {
      if (this.#context.signal.aborted || !isPassedOver(error)) throw error
      this.skip('unreadable')
      return false
    } finally {
      if (this.#missesLong) this.skip('long_matches')
    }
  }

  async #takeContent(path: string, parts: Parts): Promise<boolean> {
    const { before, after, limit } = this.#input
    const skip = this.#start?.path === path ? this.#start.given : 0
    let past = 0
    for await (const part of parts) {
      if (this.#isRefused(part)) break
      const { text, ...place } = part
      const [left, room] = [limit - this.#matches.length, ROOM - this.#size]
      const options = { before, after, unified: true, ...place, skip: Math.max(0, skip - past), limit: left, room }
      const grep = createGrep(text, this.#matcher, options)
      const finished = await this.#run(grep)
      part.to = grep.to
      for (const match of grep.matches) this.#matches.push({ path, ...match })
      past += grep.count
      if (grep.matches.length > 0) {
        this.#last = { path, given: past }
        this.#size += grep.size + path.length
      }
      this.#more = grep.more
      if (grep.more && this.#matches.length < limit) this.hint = this.hint === undefined ? FULL : `${this.hint}; ${FULL}`
      if (!finished) this.interrupted = true
      if (grep.more || !finished) return true
    }
    return false
  }

  async #takeFile(path: string, parts: Parts): Promise<boolean> {
    const mode = this.#input.output
    let count = 0
    for await (const part of parts) {
      if (this.#isRefused(part)) break
      const { text, ...place } = part
      const grep = createGrep(text, this.#matcher, { mode, unified: true, ...place })
      if (!(await this.#run(grep))) {
        this.interrupted = true
        return true
      }
      part.to = grep.to
      count += grep.count
      if (count > 0 && mode === 'files') break
    }
    if (count === 0) return false
    if (this.#files.length === this.#input.limit) {
      this.#more = true
      return true
    }
    this.#files.push({ path, count })
    this.#last = { path, given: count }
    return false
  }

  /** If the part is a reason why the file was not searched to its end, counts that reason. */
  #isRefused(part: Part | Refused): part is Refused {
    if (typeof part !== 'string') return false
    this.skip(part)
    return true
  }

  /** Searches in slices. @returns false if the call was aborted in the middle of the file */
  async #run(grep: Grep): Promise<boolean> {
    while (!grep.step()) {
      if (!this.#slicer.due(1000)) continue
      if (this.#context.signal.aborted) return false
      await this.#slicer.pause()
    }
    this.skip('long_lines', grep.longLines)
    this.#missesLong ||= grep.longMatches && !(this.#input.output === 'files' && grep.count > 0)
    if (this.#slicer.due(10)) await this.#slicer.pause()
    return true
  }
}

function parseCursor({ cursor }: GrepInput, { workspace }: ToolContext): Position | undefined {
  if (cursor === undefined) return undefined
  const [, given, relative] = /^(\d{1,9}):(.+)$/s.exec(cursor) ?? []
  const path = relative === undefined ? undefined : fromCursor(workspace, relative)
  if (given === undefined || path === undefined) throw badCursor(cursor)
  return { path, given: Number(given) }
}
