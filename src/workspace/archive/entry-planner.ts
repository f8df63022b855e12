import { FsError } from '../../errors/index.js'
import type { ArchiveEntry } from '../../ops/archive/entry.js'
import { archiveError } from '../../ops/archive/faults.js'
import { EntryGuard } from '../../ops/archive/guard.js'
import { innerPath, leadsInside } from '../../ops/archive/names.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { isReserved } from '../checkpoints/engine.js'
import { joinPath, relativePath } from '../paths.js'
import type { Destination } from './destination.js'
import { chosen, type ImportOptions, type ImportReport } from './options.js'

/** An entry and its destination. */
export interface PlannedEntry {
  readonly entry: ArchiveEntry
  /** Virtual path. */
  readonly path: string
  /** The existing entry at the destination. Never set for a directory. */
  readonly before?: FsStat
  /** For a hard link: the path of the file that it copies. */
  readonly original?: string
}

/** Decides for each entry whether and where to import it. */
export class EntryPlanner {
  readonly skipped: ImportReport['skipped'][number][] = []
  readonly #workspace: Workspace
  readonly #base: string
  readonly #destination: Destination
  readonly #options: ReturnType<typeof chosen>
  readonly #guard: EntryGuard
  /** Files and links by their path in the archive, for hard links that refer to them. */
  readonly #taken = new Map<string, PlannedEntry | 'skipped'>()

  constructor(workspace: Workspace, base: string, destination: Destination, options: ImportOptions) {
    this.#workspace = workspace
    this.#base = base
    this.#destination = destination
    this.#options = chosen(options)
    this.#guard = new EntryGuard(options.limits, { caseSensitive: workspace.fs.can.caseSensitive })
  }

  /**
   * @returns undefined if the entry is skipped
   * @throws {InputError} for an invalid entry; {FsError} EEXIST, EISDIR, ENOTDIR, ELOOP, EACCES for an existing entry
   */
  async place(entry: ArchiveEntry): Promise<PlannedEntry | undefined> {
    const stripped = this.#stripped(entry)
    if (stripped === undefined) return undefined
    const { kind, size } = entry
    const inArchive = innerPath(entry.path, this.#guard.limits.pathBytes)
    if (kind === 'symlink' && !this.#wanted(entry, stripped)) {
      this.#taken.set(inArchive, 'skipped')
      return undefined
    }
    const original = entry.hardLink === undefined ? undefined : this.#original(entry.path, entry.hardLink)
    if (original === 'skipped') {
      this.skipped.push({ path: entry.path, reason: 'link' })
      this.#taken.set(inArchive, original)
      return undefined
    }
    // A hard link to a symlink becomes a second symlink.
    if (original?.entry.kind === 'symlink') return this.place({ ...original.entry, path: entry.path })
    this.#guard.admit(stripped, kind, original?.entry.size ?? size)
    const path = joinPath(this.#base, stripped)
    this.#refuseReserved(path)
    if (kind === 'dir') {
      await this.#destination.folder(path)
      return { entry, path }
    }
    const before = await this.#destination.look(path)
    const placed: PlannedEntry = {
      entry: original ? { ...entry, size: original.entry.size } : entry,
      path,
      ...(original && { original: original.path }),
    }
    const kept = before ? this.#over(before, { ...placed, before }) : placed
    this.#taken.set(inArchive, kept ?? 'skipped')
    return kept
  }

  /** @throws {InputError} `link` */
  #original(path: string, target: string): PlannedEntry | 'skipped' {
    const found = this.#taken.get(target)
    if (found) return found
    throw archiveError('link', `is a hard link to ${JSON.stringify(target.slice(0, 120))}, which is not an earlier file or link`, path)
  }

  /**
   * Plans an entry again after another program has created an entry at its destination. @returns undefined if the entry is skipped @throws
   * as `place`
   */
  async again({ before: _, ...placed }: PlannedEntry): Promise<PlannedEntry | undefined> {
    const before = await this.#destination.now(placed.path)
    return before ? this.#over(before, { ...placed, before }) : placed
  }

  /** Plans an entry whose destination exists. */
  #over(before: FsStat, placed: PlannedEntry): PlannedEntry | undefined {
    const { overwrite } = this.#options
    const { path, entry } = placed
    if (overwrite === 'skip') {
      this.skipped.push({ path: entry.path, reason: 'exists' })
      return undefined
    }
    const op = 'import'
    if (before.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path, detail: 'a directory already exists' })
    if (overwrite === 'replace') return placed
    const detail = `a ${before.kind === 'file' ? 'file' : 'link'} already exists. Pass overwrite: "replace" or "skip", or another path`
    throw new FsError({ code: 'EEXIST', op, path, detail })
  }

  #stripped(entry: ArchiveEntry): string | undefined {
    const { strip } = this.#options
    const path = innerPath(entry.path, this.#guard.limits.pathBytes)
    const rest = strip === 0 ? path : path.split('/').slice(strip).join('/')
    if (rest !== '') return rest
    if (entry.kind !== 'dir') {
      this.skipped.push({ path: entry.path, reason: 'stripped' })
      this.#taken.set(path, 'skipped')
    }
    return undefined
  }

  /** @throws {InputError} `link` */
  #wanted({ path, target = '' }: ArchiveEntry, stripped: string): boolean {
    const { links } = this.#options
    if (links === 'skip') {
      this.skipped.push({ path, reason: 'link' })
      return false
    }
    if (links === 'refuse') throw archiveError('link', 'is a link. Pass links: "skip" to skip links, or "keep" to create them', path)
    if (!leadsInside(stripped, target)) {
      const shown = JSON.stringify(target.slice(0, 120))
      throw archiveError('link', `is a link to ${shown}, which may point outside the directory. Pass links: "skip" to skip links`, path)
    }
    return true
  }

  #refuseReserved(path: string): void {
    const { root, fs } = this.#workspace
    if (!isReserved(`/${relativePath(path, root)}`, fs.can.caseSensitive)) return
    throw new FsError({ code: 'EACCES', op: 'import', path, detail: 'the name is reserved for checkpoints' })
  }
}
