import { FsError } from '../../errors/index.js'
import type { ArchiveEntry } from '../../ops/archive/entry.js'
import { archiveError } from '../../ops/archive/faults.js'
import { EntryGuard } from '../../ops/archive/guard.js'
import { entryPath, leadsInside } from '../../ops/archive/names.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { isReserved } from '../checkpoints/engine.js'
import { joinPath, relativePath } from '../paths.js'
import type { Destination } from './destination.js'
import { chosen, type ImportOptions, type ImportReport } from './options.js'

/** An entry, and where it goes. */
export interface Placed {
  readonly entry: ArchiveEntry
  /** Virtual path. */
  readonly path: string
  /** What is in its place; of a directory only a directory. */
  readonly before?: FsStat
}

/** Decides entry by entry what an import does with it. */
export class Placing {
  readonly skipped: ImportReport['skipped'][number][] = []
  readonly #workspace: Workspace
  readonly #base: string
  readonly #destination: Destination
  readonly #options: ReturnType<typeof chosen>
  readonly #guard: EntryGuard

  constructor(workspace: Workspace, base: string, destination: Destination, options: ImportOptions) {
    this.#workspace = workspace
    this.#base = base
    this.#destination = destination
    this.#options = chosen(options)
    this.#guard = new EntryGuard(options.limits, { caseSensitive: workspace.fs.can.caseSensitive })
  }

  /**
   * Undefined: it is left out.
   *
   * @throws {InputError} for what the archive should not have; {FsError} EEXIST, EISDIR, ENOTDIR, ELOOP, EACCES for what is in the way
   */
  async place(entry: ArchiveEntry): Promise<Placed | undefined> {
    const stripped = this.#stripped(entry)
    if (stripped === undefined) return undefined
    const { kind, size } = entry
    if (kind === 'symlink' && !this.#wanted(entry, stripped)) return undefined
    this.#guard.admit(stripped, kind, size)
    const path = joinPath(this.#base, stripped)
    this.#refuseReserved(path)
    if (kind === 'dir') {
      await this.#destination.folder(path)
      return { entry, path }
    }
    const before = await this.#destination.look(path)
    if (!before) return { entry, path }
    return this.#over(before, { entry, path, before })
  }

  /** What becomes of an entry in whose place something has come since. Undefined: it is left out. @throws as `place` */
  async again({ entry, path }: Placed): Promise<Placed | undefined> {
    const before = await this.#destination.now(path)
    return before ? this.#over(before, { entry, path, before }) : { entry, path }
  }

  /** Something is there. */
  #over(before: FsStat, placed: Placed): Placed | undefined {
    const { overwrite } = this.#options
    const { path, entry } = placed
    if (overwrite === 'skip') {
      this.skipped.push({ path: entry.path, reason: 'exists' })
      return undefined
    }
    const op = 'import'
    if (before.kind === 'dir') throw new FsError({ code: 'EISDIR', op, path, detail: 'a directory is there' })
    if (overwrite === 'replace') return placed
    const detail = `a ${before.kind === 'file' ? 'file' : 'link'} is there already. Pass overwrite: "replace" or "skip", or another path`
    throw new FsError({ code: 'EEXIST', op, path, detail })
  }

  #stripped(entry: ArchiveEntry): string | undefined {
    const { strip } = this.#options
    const path = entryPath(entry.path, this.#guard.limits.pathBytes)
    const rest = strip === 0 ? path : path.split('/').slice(strip).join('/')
    if (rest !== '') return rest
    if (entry.kind !== 'dir') this.skipped.push({ path: entry.path, reason: 'stripped' })
    return undefined
  }

  /** @throws {InputError} `link` */
  #wanted({ path, target = '' }: ArchiveEntry, stripped: string): boolean {
    const { links } = this.#options
    if (links === 'skip') {
      this.skipped.push({ path, reason: 'link' })
      return false
    }
    if (links === 'refuse') throw archiveError('link', 'is a link. Pass links: "skip" to leave links out, or "keep" to make them', path)
    if (!leadsInside(stripped, target)) {
      const shown = JSON.stringify(target.slice(0, 120))
      throw archiveError('link', `is a link to ${shown}, which may lead out of the directory. Pass links: "skip" to leave links out`, path)
    }
    return true
  }

  #refuseReserved(path: string): void {
    const { root, fs } = this.#workspace
    if (!isReserved(`/${relativePath(path, root)}`, fs.can.caseSensitive)) return
    throw new FsError({ code: 'EACCES', op: 'import', path, detail: 'the name is reserved for checkpoints' })
  }
}
