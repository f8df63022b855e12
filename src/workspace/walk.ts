import { lazy } from '../core/lazy.js'
import { FsError, hasCode } from '../errors/index.js'
import type { IgnoreScope } from '../ops/ignore.js'
import type { FsEntry, FsOther } from '../types/fs.js'
import type { Host } from '../types/host.js'
import type { WalkEntry, WalkFilter, WalkOptions } from '../types/workspace.js'
import { baseName, joinPath, parentPath, relativePath } from './paths.js'
import { inSlices, Slicer } from './slicer.js'
import { IS_OTHER } from './state.js'
import type { VirtualFs } from './virtual-fs.js'

/** Number of directories to list ahead: enough for most of the gain of parallel reading on slow storage, with little memory. */
const PREFETCH = 8
/** Maximum estimated cost of one search for directories to list ahead, in microseconds (the unit of `Slicer.due`). */
const MOST_AHEAD = 4096
/** Number of entries per batch: few enough to arrive soon, many enough that the await per batch costs little. */
const RUN = 512
/** Estimated cost of reading one directory, in microseconds. */
const DIRECTORY_STEPS = 64
/** Estimated cost of the entries between two checks whether to pause, in microseconds. */
const STEPS_UNASKED = 64
const MAX_IGNORE_FILE = 1024 * 1024

/** Loads with the first `.gitignore` file: most trees have none. */
const ignoring = lazy(() => import('../ops/ignore.js'))

const ACCEPT_ALL: WalkFilter<null> = { start: null, enter: () => null, accept: () => true }

type Entry = FsEntry | FsOther

interface Listing {
  readonly entries: readonly Entry[]
  /** Absent: nothing is ignored. */
  readonly ignore: IgnoreScope | undefined
}

interface Frame {
  readonly path: string
  readonly depth: number
  readonly state: unknown
  readonly entries: readonly Entry[]
  /** Absent: nothing is ignored. */
  readonly ignore: IgnoreScope | undefined
  /** Remaining components of the cursor, while this directory is on the cursor's path. */
  readonly after: readonly string[] | undefined
  readonly ahead: Map<string, Promise<Listing>>
  /** Position of the search for directories to list ahead. */
  scanned: number
  index: number
}

export interface TreeOptions extends WalkOptions {
  /** Returns an error if the path would be rejected as input. Such an entry is skipped with everything below it. */
  readonly refusal?: (folder: string, name: string) => unknown
}

/** @throws {FsError} ENOTDIR for a file; errors of a directory below go to `onError`, if set */
export async function* walkTree(fs: VirtualFs, host: Host, start: string, options: TreeOptions): AsyncGenerator<readonly WalkEntry[]> {
  const slicer = new Slicer(host, options)
  const walk = new Walk(fs, options, slicer)
  const stack: Frame[] = [await walk.open(start)]
  let run: WalkEntry[] = []
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    options.signal?.throwIfAborted()
    const next = walk.advance(frame, run)
    const due = slicer.due(DIRECTORY_STEPS)
    if (next === 'done') stack.pop()
    else if (next !== 'more') {
      const opened = await walk.enter(frame, next)
      if (opened) stack.push(opened)
    }
    if (run.length >= RUN || (due && run.length > 0)) {
      yield run
      run = []
    }
    if (due) await slicer.pause()
  }
  if (run.length > 0) yield run
}

class Walk {
  readonly #fs: VirtualFs
  readonly #options: TreeOptions
  readonly #filter: WalkFilter
  readonly #cost: number
  readonly #hidden: boolean
  readonly #ignore: boolean
  readonly #maxDepth: number
  readonly #slicer: Slicer
  #aheadCount = 0

  constructor(fs: VirtualFs, options: TreeOptions, slicer: Slicer) {
    this.#fs = fs
    this.#slicer = slicer
    this.#options = options
    this.#filter = options.filter ?? (ACCEPT_ALL as WalkFilter)
    this.#cost = this.#filter.cost ?? 1
    this.#hidden = options.hidden ?? true
    this.#ignore = options.ignore ?? true
    this.#maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY
  }

  async open(path: string): Promise<Frame> {
    const { after } = this.#options
    const cursor = after === undefined ? undefined : relativePath(after, path).split('/')
    const listing = await this.#list(path, this.#ignore ? await this.#inherited(path) : undefined)
    return this.#frame(path, 1, this.#filter.start, listing, cursor)
  }

  /**
   * Adds accepted entries to the batch until it reaches a directory to enter, and returns that directory. `more`: the caller has to pause
   * or yield the batch first.
   */
  advance(frame: Frame, run: WalkEntry[]): FsEntry | 'more' | 'done' {
    const { entries, state, path, depth } = frame
    const cursor = frame.after?.[0]
    const end = Math.min(entries.length, frame.index + RUN)
    let steps = 0
    while (frame.index < end) {
      if (steps >= STEPS_UNASKED) {
        if (this.#slicer.due(steps)) return 'more'
        steps = 0
      }
      steps += this.#cost
      const entry = entries[frame.index++] as Entry
      const { name } = entry
      // A FIFO, socket or device counts as a file for the ignore rules and the filter.
      const kind = entry.kind === 'other' ? 'file' : entry.kind
      if (this.#skipped(frame, name, kind)) continue
      if (cursor !== undefined && name <= cursor) {
        if (name === cursor && entry.kind === 'dir' && depth < this.#maxDepth) return entry
        continue
      }
      if (this.#refused(path, name)) continue
      if (this.#filter.accept(state, name, kind)) {
        const at = joinPath(path, name)
        if (entry.kind === 'other') this.#options.onError?.(at, new FsError({ code: 'ENOTSUP', op: 'list', path: at, detail: IS_OTHER }))
        else run.push(entry.size === undefined ? { path: at, name, kind, depth } : { path: at, name, kind, size: entry.size, depth })
      }
      if (entry.kind === 'dir' && depth < this.#maxDepth) return entry
    }
    this.#slicer.due(steps)
    return end < entries.length ? 'more' : 'done'
  }

  async enter(frame: Frame, { name }: FsEntry): Promise<Frame | undefined> {
    const state = this.#filter.enter(frame.state, name)
    if (state === undefined) return undefined
    const path = joinPath(frame.path, name)
    this.#lookAhead(frame)
    const ahead = frame.ahead.get(name)
    if (ahead) {
      frame.ahead.delete(name)
      this.#aheadCount--
    }
    try {
      const listing = await (ahead ?? this.#list(path, frame.ignore?.enter(name)))
      const cursor = frame.after?.[0] === name && frame.after.length > 1 ? frame.after.slice(1) : undefined
      return this.#frame(path, frame.depth + 1, state, listing, cursor)
    } catch (error) {
      return this.#failed(path, error)
    }
  }

  #frame(path: string, depth: number, state: unknown, listing: Listing, after: readonly string[] | undefined): Frame {
    return { path, depth, state, entries: listing.entries, ignore: listing.ignore, after, ahead: new Map(), scanned: 0, index: 0 }
  }

  #skipped(frame: Frame, name: string, kind: FsEntry['kind']): boolean {
    if (!this.#hidden && name.charCodeAt(0) === 46) return true
    if (!this.#ignore) return false
    if (name === '.git' || (name === 'outputs' && baseName(frame.path) === '.toolport')) return true
    return frame.ignore?.ignores(name, kind) ?? false
  }

  #refused(folder: string, name: string): boolean {
    const error = this.#options.refusal?.(folder, name)
    if (error === undefined) return false
    this.#options.onError?.(joinPath(folder, name), error)
    return true
  }

  /** Starts the listings of the next directories of this frame, within the shared limit. */
  #lookAhead(frame: Frame): void {
    frame.scanned = Math.max(frame.scanned, frame.index)
    let steps = 0
    while (this.#aheadCount < PREFETCH && frame.scanned < frame.entries.length && steps < MOST_AHEAD) {
      steps += this.#cost
      const { name, kind } = frame.entries[frame.scanned++] as Entry
      if (kind !== 'dir' || this.#skipped(frame, name, kind) || this.#options.refusal?.(frame.path, name)) continue
      const cursor = frame.after?.[0]
      if ((cursor !== undefined && name < cursor) || this.#filter.enter(frame.state, name) === undefined) continue
      const listing = this.#list(joinPath(frame.path, name), frame.ignore?.enter(name))
      // `enter` awaits the listing later. If the walk ends before that, nobody handles a rejection, so handle it here.
      listing.catch(() => undefined)
      frame.ahead.set(name, listing)
      this.#aheadCount++
    }
  }

  async #list(path: string, inherited: IgnoreScope | undefined): Promise<Listing> {
    const entries = sorted(await this.#fs.readdir(path))
    const rules = this.#ignore && hasFile(entries, '.gitignore')
    const ignore = rules ? await this.#withRules(path, inherited) : inherited
    if (ignore) await inSlices(ignore.prepareSteps(entries.map(({ name }) => name)), this.#slicer)
    return { entries, ignore }
  }

  /** An ignore file that cannot be read, or was removed meanwhile, has no rules. */
  async #withRules(path: string, inherited: IgnoreScope | undefined): Promise<IgnoreScope | undefined> {
    const bytes = await this.#fs.read(joinPath(path, '.gitignore'), { length: MAX_IGNORE_FILE }).catch((error: unknown) => {
      if (FsError.is(error)) return undefined
      throw error
    })
    if (!bytes) return inherited
    return inSlices((inherited ?? (await ignoring()).NO_RULES).addSteps(new TextDecoder().decode(bytes)), this.#slicer)
  }

  /**
   * Returns the rules of the directories above the start. If these rules ignore the start itself, no rule applies, because the caller asked
   * for the start.
   */
  async #inherited(start: string): Promise<IgnoreScope | undefined> {
    if (start === this.#fs.root) return undefined
    const folder = parentPath(start)
    const above = await this.#inherited(folder)
    const siblings = await this.#fs.readdir(folder).catch(noEntries)
    const scope = siblings.some(({ name, kind }) => name === '.gitignore' && kind === 'file') ? await this.#withRules(folder, above) : above
    const name = baseName(start)
    if (scope) await inSlices(scope.prepareSteps([name]), this.#slicer)
    return scope?.ignores(name, 'dir') ? undefined : scope?.enter(name)
  }

  /** Reports the error of a directory. Without `onError`, ignores a directory that was removed since its parent was listed. */
  #failed(path: string, error: unknown): undefined {
    if (!FsError.is(error)) throw error
    if (this.#options.onError) this.#options.onError(path, error)
    else if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
    return undefined
  }
}

/** Returns no entries for a directory above the start that cannot be listed. Such a directory contributes no rules. */
function noEntries(error: unknown): readonly Entry[] {
  if (FsError.is(error)) return []
  throw error
}

/** Whether sorted entries include a file of this name (binary search). */
function hasFile(entries: readonly Entry[], name: string): boolean {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle] as Entry).name < name) low = middle + 1
    else high = middle
  }
  const found = entries[low]
  return found?.name === name && found.kind === 'file'
}

/** Sorts by code unit, unless the adapter already lists in this order, as most do. */
function sorted(entries: Entry[]): Entry[] {
  for (let i = 1; i < entries.length; i++) {
    if ((entries[i - 1] as Entry).name > (entries[i] as Entry).name) {
      return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    }
  }
  return entries
}
