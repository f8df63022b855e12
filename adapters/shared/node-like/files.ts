import type { FileKind } from '../../../src/types/fs.js'
import { Fault } from '../fault.js'
import { codeOf } from './library-faults.js'
import type { NodePromisesLike, StatsLike } from './library-types.js'
import type { Versions } from './versions.js'

/** An existing entry. */
export interface Entry {
  readonly kind: FileKind
  readonly stats: StatsLike
}

export interface FilesOptions {
  readonly promises: NodePromisesLike
  /** The directory that appears as `/`: an absolute path in the library. */
  readonly root: string
  /** Returns the time for modification times. Without this function, the library sets the times. */
  readonly now: (() => number) | undefined
  readonly versions: Versions
  /** Whether the library keeps permission bits. */
  readonly keepsModes: boolean
  /**
   * Whether the library keeps counting an entry that a rename has replaced (memfs 4), so that the directory of the entry can never be
   * removed. Default: false.
   */
  readonly miscountsReplaced?: boolean
}

/**
 * Gives access to a library's files by adapter path. Libraries follow symlinks in the middle of a path, so every operation first checks all
 * parent directories.
 */
export class Files {
  readonly promises: NodePromisesLike
  readonly versions: Versions
  readonly keepsModes: boolean
  readonly miscountsReplaced: boolean
  readonly #root: string
  readonly #now: (() => number) | undefined

  constructor({ promises, root, now, versions, keepsModes, miscountsReplaced = false }: FilesOptions) {
    this.miscountsReplaced = miscountsReplaced
    this.promises = promises
    this.versions = versions
    this.keepsModes = keepsModes
    this.#root = root === '/' ? '' : root
    this.#now = now
  }

  /** Returns the library's path for an adapter path. */
  host(path: string): string {
    return path === '/' ? this.#root || '/' : this.#root + path
  }

  /** Returns the entry at a path, or undefined if only the entry is missing. @throws {Fault} ENOENT ENOTDIR ELOOP for a parent */
  async at(path: string): Promise<Entry | undefined> {
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
      const parent = await this.look(path.slice(0, end))
      if (!parent) throw new Fault('ENOENT')
      if (parent.kind !== 'dir') throw new Fault(parent.kind === 'symlink' ? 'ELOOP' : 'ENOTDIR')
    }
    return this.look(path)
  }

  /** Returns the entry at a path. @throws {Fault} ENOENT ENOTDIR ELOOP */
  async find(path: string): Promise<Entry> {
    const entry = await this.at(path)
    if (!entry) throw new Fault('ENOENT')
    return entry
  }

  /** Returns the regular file at a path. @throws {Fault} ENOENT ENOTDIR ELOOP EISDIR; ENOTSUP for a special file */
  async findFile(path: string): Promise<Entry> {
    const entry = await this.find(path)
    checkFile(entry)
    return entry
  }

  /** Call after the content of a file was written: sets the modification time and gives the file a new version. */
  async written(path: string): Promise<void> {
    await this.stamp(path)
    const entry = await this.look(path)
    if (entry) this.versions.written(entry.stats)
  }

  /** Sets the modification time of a created or changed file or directory. */
  async stamp(path: string): Promise<void> {
    if (this.#now) await this.setTime(path, this.#now())
  }

  async setTime(path: string, mtimeMs: number): Promise<void> {
    // Pass a Date, because libraries disagree on the unit of a number.
    const time = new Date(mtimeMs)
    await this.promises.utimes(this.host(path), time, time)
  }

  /** Returns the entry at a path, or undefined. Call only after the parents were checked. */
  async look(path: string): Promise<Entry | undefined> {
    try {
      const stats = await this.promises.lstat(this.host(path))
      return { kind: stats.isSymbolicLink() ? 'symlink' : stats.isDirectory() ? 'dir' : 'file', stats }
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return undefined
      throw cause
    }
  }
}

/** @throws {Fault} EISDIR ELOOP; ENOTSUP for a pipe, a socket or a device, which could block forever */
export function checkFile({ kind, stats }: Entry): void {
  if (kind !== 'file') throw new Fault(kind === 'dir' ? 'EISDIR' : 'ELOOP')
  if (!stats.isFile()) throw new Fault('ENOTSUP', 'it is not a regular file')
}

export const below = (dir: string, name: string): string => (dir === '/' ? `/${name}` : `${dir}/${name}`)
