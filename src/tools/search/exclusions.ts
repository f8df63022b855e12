import { FsError, hasCode, InputError } from '../../errors/index.js'
import { compileGlobSteps, type GlobMatcher } from '../../ops/glob.js'
import { brokenExclusion, isExclusion, meantBy, mistakeIn } from '../../ops/glob-mistakes.js'
import { checkGlobs } from '../../ops/glob-parse.js'
import { normalized } from '../../ops/unicode-form.js'
import { quoted } from '../../ops/visible-name.js'
import type { FileKind } from '../../types/fs.js'
import type { ToolContext } from '../../types/tool.js'
import type { WalkFilter } from '../../types/workspace.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { isPassedOver } from './stat-entries.js'
import { takeWalk } from './take-walk.js'

/** How many entries the rules of a call excluded, to explain an empty result. */
export interface LeftOut {
  readonly hidden?: number
  readonly ignored?: number
  readonly links?: number
  readonly other_links?: number
  /** Number of matching directories, if only files are requested. */
  readonly dirs?: number
}

export interface Asked {
  readonly pattern: string | readonly string[]
  readonly path: string
  readonly kind: FileKind | 'any'
  readonly hidden: boolean
  readonly anyDepth?: boolean
  readonly maxDepth?: number
  /** Whether names match in any Unicode form. */
  readonly composed?: boolean
  /** Whether names match in any case. */
  readonly anyCase?: boolean
  /** How the tool read the globs, if not as written. */
  readonly hint?: string
}

/** Maximum number of entries to inspect, so that a large ignored tree does not slow down an empty result. */
const MOST = 10_000

/** Creates the filter of a call from its globs. Globs may be absolute, or relative to the start of the search. */
export async function filterOf({ workspace, host, signal }: ToolContext, asked: Asked): Promise<GlobMatcher> {
  const { pattern, path, kind, hidden: dots, anyDepth = false, composed = false, anyCase = false } = asked
  const form = (text: string): string => (anyCase ? normalized(text).toLowerCase() : composed ? normalized(text) : text)
  const base = { start: form(await workspace.realpath(path, 'search')), root: form(workspace.root) }
  const steps = compileGlobSteps([pattern].flat().map(form), { kind, dots, base, anyDepth })
  const glob = await inSlices(steps, new Slicer(host, { signal }))
  if (!composed && !anyCase) return glob
  return {
    ...glob,
    enter: (state, name) => glob.enter(state, form(name)),
    accept: (state, name, of) => glob.accept(state, form(name), of),
    matches: (name) => glob.matches(form(name)),
  }
}

/** Decides how to read the globs of a call: as written if anything matches, otherwise in the way that the model probably means. */
export async function understood(context: ToolContext, asked: Asked, ignore: boolean): Promise<Asked> {
  const { workspace, signal } = context
  const place: Place = { root: workspace.root, start: workspace.resolve(asked.path) }
  const fits = async (pattern: readonly string[], composed: boolean): Promise<boolean> => {
    const filter = await filterOf(context, { ...asked, pattern, composed, kind: 'any' })
    return (await takeWalk(workspace, asked.path, 1, { filter, ignore, signal })).entries.length > 0
  }
  const readings = new Map<string, Reading>()
  for (const glob of oddOf(checkGlobs(asked.pattern), place)) {
    try {
      if (!(await fits([unmarked(glob)], false))) readings.set(glob, await readingOf(glob, place, fits))
    } catch (error) {
      // The search itself reports errors of the path.
      if (!FsError.is(error)) throw error
    }
  }
  if (readings.size === 0) return asked
  const found = [...readings.values()]
  return {
    ...asked,
    pattern: [asked.pattern].flat().flatMap((glob) => readings.get(glob)?.globs ?? glob),
    composed: found.some(({ composed }) => composed),
    ...(found.some(({ hint }) => hint) && { hint: found.flatMap(({ hint }) => hint ?? []).join('; ') }),
  }
}

interface Reading {
  readonly globs: readonly string[]
  readonly composed: boolean
  readonly hint: string | undefined
}

const NOT_ASCII = /[^\0-\x7f]/
/** Maximum number of globs to try one by one. */
const MOST_TRIED = 16

interface Place {
  readonly root: string
  /** The start of the search. */
  readonly start: string
}

/** Removes the `!` of an exclusion, so that its glob is checked like the others: no result would show that an exclusion matches nothing. */
const unmarked = (glob: string): string => (isExclusion(glob) ? glob.slice(1) : glob)

/** Returns the globs that are valid but may not be meant as written. */
function oddOf(globs: readonly string[], { root, start }: Place): string[] {
  const isOdd = (glob: string): boolean =>
    NOT_ASCII.test(glob) || mistakeIn(unmarked(glob), root) !== undefined || meantBy(glob, root, start).join() !== glob
  const isRefused = (glob: string): boolean => isExclusion(glob) && brokenExclusion(unmarked(glob), root) !== undefined
  return globs.filter((glob) => isOdd(glob) && !isRefused(glob)).slice(0, MOST_TRIED)
}

/** Finds another reading for globs that match nothing as written. */
async function readingOf(
  glob: string,
  { root, start }: Place,
  fits: (globs: readonly string[], composed: boolean) => Promise<boolean>,
): Promise<Reading> {
  const globs = meantBy(glob, root, start)
  const composed = NOT_ASCII.test(glob)
  const other =
    globs.join() === glob ? 'names were compared without regard to Unicode form (NFC, NFD)' : `read as ${short(globs.join(', '))}`
  try {
    if (await fits(globs.map(unmarked), composed)) return { globs, composed, hint: `Nothing matches ${short(glob)} as written: ${other}` }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
  }
  const mistake = [glob, ...globs].map((each) => mistakeIn(unmarked(each), root)).find((each) => each !== undefined)
  return { globs: [glob], composed: false, hint: mistake && `Glob ${short(glob)}: ${mistake}` }
}

const short = (glob: string): string => quoted(glob.length > 200 ? `${glob.slice(0, 200)}...` : glob)

/** Explains why nothing matches the globs. */
export async function missHint(context: ToolContext, asked: Asked, ignore: boolean): Promise<string | undefined> {
  return (await fileOnTheWay(context, asked)) ?? (await otherCase(context, asked, ignore))
}

/** Finds a file that a glob uses as a directory. */
async function fileOnTheWay({ workspace }: ToolContext, { path, pattern }: Asked): Promise<string | undefined> {
  for (const glob of [pattern].flat().slice(0, MOST_TRIED)) {
    const spelled = /^[^*?[({!\\]*(?=\/)/.exec(glob)?.[0] ?? ''
    for (let way = spelled; way !== ''; way = way.slice(0, Math.max(0, way.lastIndexOf('/')))) {
      const at = way.startsWith('/') ? way : `${path}/${way}`
      const { kind } = await workspace.stat(at).catch((error: unknown) => ({ kind: hasCode(error, 'ENOTDIR') ? 'below' : 'none' }))
      if (kind === 'file') return `${quoted(workspace.resolve(at))} is a file, not a directory`
      if (kind !== 'below') break
    }
  }
  return undefined
}

/** Finds a name that would match in another case. */
async function otherCase(context: ToolContext, asked: Asked, ignore: boolean): Promise<string | undefined> {
  const { workspace, signal } = context
  const all = await filterOf(context, { ...asked, anyCase: true })
  let looked = 0
  const filter: WalkFilter = {
    start: all.start,
    cost: all.cost ?? 1,
    enter: (state, name) => (looked > MOST ? undefined : all.enter(state as typeof all.start, name)),
    accept: (state, name, kind) => looked++ <= MOST && all.accept(state as typeof all.start, name, kind),
  }
  const [found] = (await takeWalk(workspace, asked.path, 1, { filter, ignore, signal })).entries
  return found && `Globs are case-sensitive: ${quoted(found.path)} matches if case is ignored`
}

/**
 * Tells whether a link can be passed as a path if a directory, or any entry, is requested (`links`). A link to a directory above itself
 * cannot (`other_links`).
 */
export async function linkOf({ workspace }: ToolContext, path: string, wanted: 'dir' | 'any'): Promise<'links' | 'other_links'> {
  try {
    const { kind } = await workspace.stat(path)
    const target = kind === 'dir' ? await workspace.realpath(path) : undefined
    if (target !== undefined && (target === '/' || path.startsWith(`${target}/`))) return 'other_links'
    return wanted === 'any' || kind === wanted ? 'links' : 'other_links'
  } catch (error) {
    if (!isPassedOver(error)) throw error
    return 'other_links'
  }
}

/** Looks for entries that would match without the exclusions. `seen`: matching entries that were not excluded. */
export async function leftOut(context: ToolContext, asked: Asked, seen = 0): Promise<LeftOut> {
  const { workspace, signal } = context
  const all = await filterOf(context, { ...asked, kind: 'any', hidden: true })
  const wanted = asked.kind === 'any' ? undefined : asked.kind
  // A pattern that ends with `**` already matches the content of directories, so its result needs no note about directories.
  const tellsDirs = wanted === 'file' && ![asked.pattern].flat().some((pattern) => /(?:^|\/)\*\*$/.test(pattern))
  const shown = await filterOf(context, asked)
  const start = await workspace.realpath(asked.path)
  const counts = { hidden: 0, ignored: 0, links: 0, other_links: 0, dirs: 0 }
  const isShown = (kind: FileKind): boolean => wanted === undefined || kind === wanted
  let looked = 0
  const filter: WalkFilter = {
    start: all.start,
    cost: all.cost ?? 1,
    enter: (state, name) => (looked > MOST ? undefined : all.enter(state as typeof all.start, name)),
    accept: (state, name, kind) => {
      const at = state as typeof all.start
      if (looked++ > MOST) return false
      if (kind === 'symlink') return all.accept(at, name, wanted ?? kind) || all.enter(at, name) !== undefined
      return (isShown(kind) || (kind === 'dir' && tellsDirs)) && all.accept(at, name, kind)
    },
  }
  const slicer = new Slicer(context.host, { signal })
  const { maxDepth } = asked
  const options = { filter, ignore: false, usable: true, onError: () => undefined, signal, ...(maxDepth !== undefined && { maxDepth }) }
  try {
    for await (const run of workspace.walk(asked.path, options)) {
      for (const { path, kind } of run) {
        if (slicer.due(2 * (shown.cost ?? 1))) await slicer.pause()
        const relative = path.slice(start === '/' ? 1 : start.length + 1) + (kind === 'dir' ? '/' : '')
        if (kind === 'symlink' && !(isShown(kind) && all.matches(relative))) counts[await linkOf(context, path, 'dir')]++
        else if (kind === 'dir' && tellsDirs) counts.dirs++
        else if (shown.matches(relative)) counts.ignored++
        else counts.hidden++
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  // In a large tree this walk stops early, so it is unknown how many of the seen entries it inspected.
  counts.ignored = seen > 0 && looked > MOST ? 0 : counts.ignored - seen
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
