import { FsError, hasCode, ignoreCodes } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import { entryBytes } from '../../ops/archive/content.js'
import type { ArchiveEntries, ArchiveEntry } from '../../ops/archive/entry.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { untilBegun } from '../abortable-wait.js'
import { isThere } from '../is-there.js'
import { isWithin, parentPath } from '../paths.js'
import { replaceEntry } from '../replacing.js'
import { Slicer } from '../slicer.js'
import { versionOf, viewOf } from '../state.js'
import { Destination } from './destination.js'
import { EntryPlanner, type PlannedEntry } from './entry-planner.js'
import { InFlight } from './in-flight.js'
import { chosen, type ImportOptions, type ImportReport } from './options.js'
import { Undo } from './undo.js'

/** Estimated cost of importing one entry, in microseconds; the content counts separately. */
const STEPS = 32

/**
 * Writes the entries of an archive into a workspace, under the workspace's policy, quotas and locks. Holds the lock of the target directory
 * meanwhile.
 *
 * If `entries` can be read twice (an array, or a function that returns the entries), first checks all names, sizes, links and existing
 * entries, and then writes. If a later step fails, undoes the import and says so in the error: removes new entries and restores replaced
 * files, up to 64 MiB in total. A crash during the import leaves some of the entries in place.
 *
 * @throws {InputError} for an invalid archive or entry, with `details.reason` and `details.entry`
 * @throws {FsError} EEXIST, EISDIR, ENOTDIR, ELOOP for an existing entry; EFBIG over a limit; errors of the workspace (EROFS, ENOSPC ...)
 * @throws {TypeError} for an invalid option; the signal's reason
 */
export async function importEntries(
  workspace: Workspace,
  entries: ArchiveEntries | (() => ArchiveEntries),
  options: ImportOptions = {},
): Promise<ImportReport> {
  required('importEntries', 'a Workspace', workspace, 'resolve')
  chosen(options)
  const path = workspace.resolve(options.path ?? workspace.root)
  if (workspace.readOnly) throw new FsError({ code: 'EROFS', op: 'import into', path })
  const again = typeof entries === 'function' ? entries : Array.isArray(entries) ? () => entries as readonly ArchiveEntry[] : undefined
  const report = await untilBegun(options.signal, (begin) =>
    withBase(workspace, path, async (locked, base) => {
      begin()
      if (again) await check(locked, base, again(), options)
      const importing = new Import(locked, base, options, Array.isArray(entries))
      return importing.run(again ? again() : (entries as ArchiveEntries))
    }),
  )
  await workspace.flush()
  return report
}

/** Checks all entries before the first write. */
async function check(workspace: Workspace, base: string, entries: ArchiveEntries, options: ImportOptions): Promise<void> {
  const destination = new Destination(workspace)
  const planner = new EntryPlanner(workspace, base, destination, options)
  const slicer = new Slicer(workspace.host, options)
  await destination.folder(base)
  for await (const entry of entries) {
    options.signal?.throwIfAborted()
    await planner.place(entry)
    if (slicer.due(STEPS)) await slicer.pause()
  }
}

class Import {
  readonly #workspace: Workspace
  readonly #base: string
  readonly #options: ImportOptions
  readonly #destination: Destination
  readonly #planner: EntryPlanner
  readonly #undo: Undo
  readonly #inFlight: InFlight
  /** Whether the entries are an array. Any other source may reuse its buffers, so the import copies their bytes. */
  readonly #isList: boolean
  /** Whether a write may ask for approval. If so, entries are written one at a time, so that after a denial nobody is asked again. */
  readonly #mayAsk: boolean
  /** Directory modes to set at the end: a read-only directory would block its own content. */
  readonly #folderModes = new Map<string, number>()
  #files = 0
  #directories = 0
  #links = 0
  #bytes = 0
  #replaced = 0

  constructor(workspace: Workspace, base: string, options: ImportOptions, isList: boolean) {
    this.#workspace = workspace
    this.#base = base
    this.#options = options
    this.#isList = isList
    this.#mayAsk = mayAsk(workspace)
    this.#destination = new Destination(workspace)
    this.#planner = new EntryPlanner(workspace, base, this.#destination, options)
    this.#undo = new Undo(workspace)
    this.#inFlight = new InFlight(options.signal)
  }

  async run(entries: ArchiveEntries): Promise<ImportReport> {
    try {
      await this.#all(entries)
    } catch (error) {
      const { signal } = this.#options
      const failure = (await this.#inFlight.settle()) ?? { error: signal?.aborted ? signal.reason : error }
      throw await this.#undo.run(failure.error)
    }
    const [files, directories, links] = [this.#files, this.#directories, this.#links]
    const [bytes, replaced, { skipped }] = [this.#bytes, this.#replaced, this.#planner]
    return { path: this.#base, files, directories, links, bytes, replaced, skipped }
  }

  async #all(entries: ArchiveEntries): Promise<void> {
    const { signal } = this.#options
    const slicer = new Slicer(this.#workspace.host, { signal })
    await this.#folder(this.#base)
    for await (const entry of this.#inFlight.given(entries)) {
      signal?.throwIfAborted()
      const placed = await this.#planner.place(entry)
      if (placed) await this.#put(placed)
      if (slicer.due(STEPS + entry.size / 1024)) await slicer.pause()
    }
    await this.#inFlight.end()
    // Deepest first: the mode of an outer directory may forbid access to the inner ones.
    for (const [path, mode] of [...this.#folderModes].reverse()) await this.#meta(path, { mode })
  }

  /** Starts writing an entry. All entries have different paths, so most can be written concurrently. */
  async #put(placed: PlannedEntry): Promise<void> {
    const { entry, path } = placed
    const isAlone = this.#mayAsk || leavesRoom(placed) || placed.original !== undefined
    await (isAlone ? this.#inFlight.end() : this.#inFlight.room(entry.size))
    if (entry.kind === 'dir') {
      if ((await this.#folder(path)) && entry.mode !== undefined) this.#folderModes.set(path, entry.mode | 0o700)
      return this.#begin(
        path,
        0,
        async () => true,
        () => undefined,
      )
    }
    // Read the content before creating directories for it: it may be damaged.
    const bytes = await this.#contentOf(placed)
    this.#options.signal?.throwIfAborted()
    await this.#folder(parentPath(path))
    this.#begin(
      path,
      entry.size,
      () => this.#write(placed, bytes),
      () => this.#count(bytes),
    )
    if (isAlone) await this.#inFlight.end()
  }

  /** Starts `work`. If `work` resolves to true, calls `count` and reports the progress. */
  #begin(path: string, bytes: number, work: () => Promise<boolean>, count: () => void): void {
    let isPut = false
    const after = (): void => {
      if (!isPut) return
      count()
      this.#options.onProgress?.({ path, files: this.#files, bytes: this.#bytes })
    }
    const run = async (): Promise<void> => {
      isPut = await work()
    }
    this.#inFlight.begin(bytes, run, after)
  }

  /** Reads the content to write. Undefined for a link. */
  async #contentOf({ entry, original }: PlannedEntry): Promise<Uint8Array | undefined> {
    if (original !== undefined) return (await this.#workspace.readBytes(original)).bytes
    return entry.kind === 'file' ? this.#bytesOf(entry) : undefined
  }

  async #bytesOf(entry: ArchiveEntry): Promise<Uint8Array> {
    const bytes = await entryBytes(entry)
    return this.#isList && ArrayBuffer.isView(entry.content) ? bytes : bytes.slice()
  }

  #count(bytes: Uint8Array | undefined): void {
    if (!bytes) this.#links++
    else {
      this.#files++
      this.#bytes += bytes.length
    }
  }

  /** @returns false if the entry was skipped */
  async #write(placed: PlannedEntry, bytes: Uint8Array | undefined): Promise<boolean> {
    const { entry, path, before } = placed
    const put = (): Promise<unknown> =>
      bytes
        ? this.#workspace.writeBytes(path, bytes, { mode: before?.kind === 'file' ? 'overwrite' : 'create', parents: false })
        : this.#workspace.symlink(entry.target as string, path)
    // Overwrite in place only a file with a file. Replace a link by a new entry: a write through it would change its target.
    const isInPlace = !before || (before.kind === 'file' && bytes !== undefined)
    const replace = (): Promise<void> =>
      replaceEntry(this.#workspace, path, bytes ? { content: bytes } : { target: entry.target as string })
    try {
      await this.#replace(path, before, isInPlace ? put : replace)
    } catch (error) {
      if (before || !hasCode(error, 'EEXIST')) throw error
      // A program that ignores locks, such as a real shell, created the entry meanwhile.
      const again = await this.#planner.again(placed)
      if (!again) return false
      if (!again.before) throw error
      return this.#write(again, bytes)
    }
    if (bytes) await this.#fileMeta(path, entry)
    return true
  }

  /** Runs `put` over the existing entry, if any, and records the step to undo it. */
  async #replace(path: string, before: FsStat | undefined, put: () => Promise<unknown>): Promise<void> {
    if (!before) return this.#note(path, undefined, put, () => this.#undo.made(path))
    const step = await this.#undo.before(path, before)
    this.#replaced++
    await this.#note(path, before, put, () => this.#undo.replaced(step))
  }

  /** Records the undo step after `put` succeeds, or if `put` failed but changed the entry. */
  async #note(path: string, before: FsStat | undefined, put: () => Promise<unknown>, note: () => void): Promise<void> {
    try {
      await put()
    } catch (error) {
      // EEXIST for a new entry: another program created the entry, so undoing must not remove it.
      const isForeign = !before && hasCode(error, 'EEXIST')
      if (!isForeign && (await this.#differs(path, before))) note()
      throw error
    }
    note()
  }

  async #differs(path: string, before: FsStat | undefined): Promise<boolean> {
    try {
      const now = await this.#workspace.lstat(path)
      return !before || versionOf(now) !== versionOf(before)
    } catch (error) {
      return before !== undefined || !hasCode(error, 'ENOENT', 'ENOTDIR')
    }
  }

  /** Creates a directory and its missing parents. @returns whether it is new */
  async #folder(path: string): Promise<boolean> {
    if ((await this.#destination.folder(path)) !== 'missing') return false
    await this.#folder(parentPath(path))
    try {
      await this.#workspace.mkdir(path, { parents: false })
    } catch (error) {
      // Created meanwhile by a program that ignores locks, or by this import under a spelling that the storage treats as the same name.
      if (hasCode(error, 'EEXIST') && (await this.#destination.folderNow(path)) === 'there') return false
      throw error
    }
    this.#undo.made(path)
    this.#destination.made(path)
    this.#directories++
    return true
  }

  async #fileMeta(path: string, { mode, mtimeMs }: ArchiveEntry): Promise<void> {
    const { modes, times } = chosen(this.#options)
    const meta = {
      ...(modes && mode !== undefined && { mode: mode | 0o600 }),
      ...(times && mtimeMs !== undefined && { mtimeMs }),
    }
    if (Object.keys(meta).length > 0) await this.#meta(path, meta)
  }

  /** Sets the mode and the time, as far as the storage stores them. */
  async #meta(path: string, { mode, mtimeMs }: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void> {
    const { fs } = this.#workspace
    const kept = { ...(mode !== undefined && fs.can.mode && { mode }), ...(mtimeMs !== undefined && { mtimeMs }) }
    if (!fs.setMeta || Object.keys(kept).length === 0) return
    await this.#workspace.setMeta(path, kept).catch(ignoreCodes('ENOTSUP'))
  }
}

/**
 * Whether an entry is smaller than the file that it replaces. Such an entry is written alone: later entries may need the freed space, and
 * concurrent writes could take the space that undoing needs.
 */
function leavesRoom({ entry, before }: PlannedEntry): boolean {
  return before?.kind === 'file' && before.size > entry.size
}

/** Whether a path rule may ask for approval. */
function mayAsk(workspace: Workspace): boolean {
  const { scope, tree } = viewOf(workspace)
  return scope.approve !== undefined && tree.policy.hasRules
}

/** Maximum number of attempts to lock the directory while others create and remove its parents. */
const MAX_ATTEMPTS = 40

/**
 * Locks a directory together with its missing parents, so that `body` can create all of them. `base` is the path with links resolved.
 *
 * @throws {FsError} ENOTDIR for a file; EBUSY if the parents keep changing
 */
async function withBase<T>(workspace: Workspace, path: string, body: (locked: Workspace, base: string) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const top = await firstMissing(workspace, await workspace.realpath(path))
    const done = await workspace.locked([top], async (locked) => {
      const base = await locked.realpath(path)
      // While this call waited for the lock, its previous holder may have removed more directories.
      if (!isWithin(await firstMissing(locked, base), top)) return undefined
      return { result: await body(locked, base) }
    })
    if (done) return done.result
  }
  throw new FsError({ code: 'EBUSY', op: 'import into', path, detail: 'its parent directories keep changing' })
}

/** Returns the topmost missing directory on the path, or the path itself if nothing is missing. */
async function firstMissing(workspace: Workspace, base: string): Promise<string> {
  let top = base
  for (let path = base; path !== workspace.root && !(await isThere(workspace, path)); path = parentPath(path)) top = path
  return top
}
