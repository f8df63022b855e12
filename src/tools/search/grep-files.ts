import type { LineMatcher } from '../../ops/compile-pattern.js'
import type { ToolContext } from '../../types/tool.js'
import type { WalkEntry, WalkFilter } from '../../types/workspace.js'
import { SCANNED_FILE, scanBelow } from '../../workspace/bulk-reads.js'
import { Slicer } from '../../workspace/slicer.js'
import { type Asked, filterOf, linkOf } from './exclusions.js'
import type { GrepInput } from './grep-output.js'
import { LineText, needleOf } from './line-text.js'
import type { Reason } from './skipped.js'
import { isPassedOver } from './stat-entries.js'
import { reasonOf } from './take-walk.js'

/** Number of files to read ahead of the search on storages with latency. */
const READ_AHEAD = 8

/** Number of files to request at once from a storage that scans. A storage in memory gets many more, because it returns no content. */
const SCANNED = 64
const SCANNED_IN_MEMORY = 1024
/** Maximum total bytes of these files, if the walk knows their sizes. Scanning them takes about a millisecond. */
const SCANNED_BYTES = 256 * 1024

/** Number of bytes at the start of a file that detect most binary files before they are decoded. */
const HEAD = 512

/** A file to search, or the reason to skip it. */
export interface Candidate {
  readonly path: string
  readonly text?: string
  /** Number of files that lack the text that every match contains. */
  readonly absent?: number
  /** Search the file in pieces. */
  readonly large?: true
  readonly skipped?: 'binary' | 'unreadable'
}

/** Where an earlier page ended: in the file `path`. `again` if that page did not return the file completely. */
export interface Resume {
  readonly path: string
  readonly again: boolean
}

/** Yields the candidate files in path order, with their text. Counts adjacent files without a match together. */
export async function* candidates(
  input: GrepInput,
  asked: Asked,
  context: ToolContext,
  matcher: LineMatcher,
  resume: Resume | undefined,
  onSkip: (why: Reason) => void,
): AsyncGenerator<Candidate> {
  const { workspace } = context
  const slicer = new Slicer(context.host, context)
  const { kind, size } = await workspace.stat(input.path, 'search')
  if (kind === 'file') {
    const path = await workspace.realpath(input.path)
    if (!resume || (resume.again && resume.path === path)) yield await load({ path, size }, context, matcher, slicer)
    return
  }
  if (resume?.again) yield await load({ path: resume.path }, context, matcher, slicer)
  const inMemory = workspace.fs.can.persistence === 'memory'
  const [window, together] = inMemory ? [1, SCANNED_IN_MEMORY] : [READ_AHEAD, SCANNED]
  const needle = needleOf(matcher)
  const filter = await searched(asked, context)
  const onError = (_: string, error: unknown): void => onSkip(reasonOf(error))
  const options = { filter, ignore: input.ignore, signal: context.signal, usable: true, onError, ...(resume && { after: resume.path }) }
  for await (const found of workspace.walk(input.path, options)) {
    const run = found.filter(({ kind }) => kind !== 'symlink')
    if (run.length < found.length) for (const { path, kind } of found) if (kind === 'symlink') onSkip(await linkOf(context, path, 'any'))
    for (let at = 0, end = 0; at < run.length; at = end) {
      let bytes = 0
      while (end < run.length && end < at + together && bytes < SCANNED_BYTES)
        bytes += Math.min((run[end++] as WalkEntry).size ?? 0, SCANNED_FILE)
      const part = run.slice(at, end)
      if (slicer.due(part.length + (bytes >> 11))) await slicer.pause()
      const scanned = context.limits.grepFileBytes < SCANNED_FILE ? [] : await scanBelow(workspace, part, needle)
      const toLoad = part.flatMap((entry, i) => (scanned[i] === 'absent' ? [] : [{ entry, i, known: scanned[i] }]))
      const loading: Promise<Candidate>[] = []
      let done = 0
      for (const [n, { entry, i }] of toLoad.entries()) {
        for (const { entry, known } of toLoad.slice(loading.length, n + window)) {
          const next = load(entry, context, matcher, slicer, known)
          // The loop below awaits this promise later, or never if the search ends early. So handle a rejection here.
          next.catch(() => undefined)
          loading.push(next)
        }
        if (i > done) yield { path: entry.path, absent: i - done }
        done = i + 1
        yield await (loading[n] as Promise<Candidate>)
      }
      if (part.length > done) yield { path: input.path, absent: part.length - done }
    }
  }
}

/** Returns the globs of a call; without globs, those for every file. */
export function askedOf({ glob, path, hidden }: GrepInput): Asked {
  return { pattern: glob ?? '**', path, kind: 'file', hidden, anyDepth: true }
}

/** Creates the filter of the walk. The filter also accepts links that could lead to files to search. */
async function searched(asked: Asked, context: ToolContext): Promise<WalkFilter> {
  const filter = await filterOf(context, asked)
  type State = typeof filter.start
  return {
    start: filter.start,
    cost: filter.cost ?? 1,
    enter: (state, name) => filter.enter(state as State, name),
    accept: (state, name, kind) =>
      kind === 'symlink'
        ? filter.accept(state as State, name, 'file') || filter.enter(state as State, name) !== undefined
        : filter.accept(state as State, name, kind),
  }
}

/** Loads a file. A file that cannot be read counts as skipped. */
async function load(
  { path, size }: Pick<WalkEntry, 'path' | 'size'>,
  context: ToolContext,
  matcher: LineMatcher,
  slicer: Slicer,
  known?: Uint8Array,
): Promise<Candidate> {
  const limit = context.limits.grepFileBytes
  if (size !== undefined && size > limit) return { path, large: true }
  try {
    const bytes = known ?? (await context.workspace.readBytes(path, { length: limit + 1 })).bytes
    if (bytes.length > limit) return { path, large: true }
    // Like ripgrep, treat a file with a NUL as binary, but search invalid UTF-8. The decoder drops a byte order mark.
    if (bytes.subarray(0, HEAD).includes(0)) return { path, skipped: 'binary' }
    // Look for a NUL in the rest after decoding: in a string this takes a tenth of the time.
    const text = await new LineText(matcher, slicer).read(bytes, true)
    return text === undefined ? { path, skipped: 'binary' } : { path, text }
  } catch (error) {
    if (isPassedOver(error)) return { path, skipped: 'unreadable' }
    throw error
  }
}
