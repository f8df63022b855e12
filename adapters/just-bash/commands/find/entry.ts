import type { BashDirent, BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import type { CommandContext } from '../shared/command.js'
import { errorWords, hasErrno } from '../shared/errno.js'
import { quoted } from './messages.js'
import type { Output } from './output.js'

/** Which symlinks to follow: `-P`, `-H` or `-L`. */
export type Following = 'never' | 'start' | 'always'

export type FileType = 'f' | 'd' | 'l'

export interface EntryParts {
  readonly context: CommandContext
  readonly output: Output
  /** The printed path. */
  readonly name: string
  /** The path for file system calls. */
  readonly path: string
  readonly start: string
  readonly depth: number
  /** Whether to follow the entry if it is a symlink. */
  readonly follows: boolean
  /** The directory entry of the file. For a starting point, the result of `lstat`. */
  readonly listed: Omit<BashDirent, 'name'>
}

/** A file that the walk has found. Its details are loaded once, when a test first needs them. */
export class Entry {
  readonly name: string
  readonly path: string
  readonly start: string
  readonly depth: number
  readonly follows: boolean
  readonly isLink: boolean
  pruned = false
  readonly #parts: EntryParts
  #stat: Promise<BashStat | undefined> | undefined

  constructor(parts: EntryParts) {
    this.#parts = parts
    this.name = parts.name
    this.path = parts.path
    this.start = parts.start
    this.depth = parts.depth
    this.follows = parts.follows
    this.isLink = parts.listed.isSymbolicLink
  }

  /** Last part of the name, without trailing slashes. */
  get base(): string {
    const bare = this.name.replace(/\/+$/, '')
    return bare === '' ? this.name.slice(0, 1) : bare.slice(bare.lastIndexOf('/') + 1)
  }

  /** Last part of the name with its trailing slash, if any, for `-printf %f` and `-execdir`. */
  get shownBase(): string {
    const { base } = this
    return this.name.endsWith('/') && base !== '/' ? `${base}/` : base
  }

  /**
   * Resolves to the stat of the file. With `-L`, follows a symlink. Resolves to undefined if the file cannot be read, and has then
   * reported the error.
   */
  stat(): Promise<BashStat | undefined> {
    this.#stat ??= this.#askStat()
    return this.#stat
  }

  type(): FileType | Promise<FileType | undefined> {
    const { listed } = this.#parts
    return listed.isSymbolicLink && this.follows ? this.stat().then((stat) => stat && typeOf(stat)) : typeOf(listed)
  }

  /** Resolves to the type for `-xtype`, which follows a symlink only if the walk does not. The type of a broken symlink is `l`. */
  async otherType(): Promise<FileType | undefined> {
    const type = await this.targetType()
    if (type !== 'loop') return type
    this.#parts.output.fail(`${quoted(this.name)}: Too many levels of symbolic links`)
    return undefined
  }

  async targetType(): Promise<FileType | 'loop' | undefined> {
    if (!this.isLink) return this.type()
    if (this.follows) return 'l'
    try {
      return typeOf(await this.#parts.context.fs.stat(this.path))
    } catch (error) {
      if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return 'l'
      if (hasErrno(error, 'ELOOP')) return 'loop'
      this.fail(error)
      return undefined
    }
  }

  /** Resolves to the target of a symlink that the walk does not follow. */
  target(): Promise<string | undefined> {
    return this.#parts.context.fs.readlink(this.path).catch((error: unknown) => {
      this.fail(error)
      return undefined
    })
  }

  fail(error: unknown): void {
    this.#parts.output.fail(`${quoted(this.name)}: ${errorWords(error)}`)
  }

  async #askStat(): Promise<BashStat | undefined> {
    const { fs } = this.#parts.context
    try {
      if (!this.isLink || !this.follows) return await fs.lstat(this.path)
      return await fs.stat(this.path).catch((error: unknown) => {
        // Like GNU, use the stat of a broken symlink itself.
        if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return fs.lstat(this.path)
        throw error
      })
    } catch (error) {
      this.fail(error)
      return undefined
    }
  }
}

export const typeOf = ({ isDirectory, isSymbolicLink }: Pick<BashStat, 'isDirectory' | 'isSymbolicLink'>): FileType =>
  isSymbolicLink ? 'l' : isDirectory ? 'd' : 'f'

/** Returns the size that this shell's `stat` shows. */
export const sizeOf = (stat: BashStat): number => (stat.isDirectory ? 4096 : stat.size)

/** Symlinks have no mode of their own, so show 777 like Linux. */
export const modeOf = (stat: BashStat): number => (stat.isSymbolicLink ? 0o777 : stat.mode & 0o7777)

/**
 * Returns the link count. A directory counts its name, its `.`, and the `..` of each subdirectory. Files have 1, as the workspace has no
 * hard links.
 */
export async function linksOf({ fs }: CommandContext, path: string, stat: BashStat): Promise<number> {
  if (!stat.isDirectory) return 1
  const entries = await fs.readdirWithFileTypes(path).catch(() => [])
  return 2 + entries.filter(({ isDirectory }) => isDirectory).length
}
