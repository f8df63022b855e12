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
  /** Whether to follow the file if it is a symlink. */
  readonly follows: boolean
  /** The directory entry of the file, or for a starting point its `lstat`. */
  readonly listed: Omit<BashDirent, 'name'>
}

/** A file found by the walk. Its details are loaded once, when a test needs them. */
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

  /** The last part of the name, without trailing slashes. */
  get base(): string {
    const bare = this.name.replace(/\/+$/, '')
    return bare === '' ? this.name.slice(0, 1) : bare.slice(bare.lastIndexOf('/') + 1)
  }

  /** The last part of the name, with any trailing slash, for `-printf %f` and `-execdir`. */
  get shownBase(): string {
    const { base } = this
    return this.name.endsWith('/') && base !== '/' ? `${base}/` : base
  }

  /** The stat of the file, or with `-L` of a symlink's target. Undefined if the file is unreadable; this error is already reported. */
  stat(): Promise<BashStat | undefined> {
    this.#stat ??= this.#askStat()
    return this.#stat
  }

  type(): FileType | Promise<FileType | undefined> {
    const { listed } = this.#parts
    return listed.isSymbolicLink && this.follows ? this.stat().then((stat) => stat && typeOf(stat)) : typeOf(listed)
  }

  /** The type for `-xtype`: follows a symlink only if the walk does not. `l` if the target does not exist. */
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

  /** The target of a symlink that the walk does not follow. */
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
        // Like GNU, falls back to a broken symlink itself.
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

/** The size that this shell's `stat` shows. */
export const sizeOf = (stat: BashStat): number => (stat.isDirectory ? 4096 : stat.size)

/** Symlinks have no mode of their own. Linux shows 777. */
export const modeOf = (stat: BashStat): number => (stat.isSymbolicLink ? 0o777 : stat.mode & 0o7777)

/** Link count of a directory: its name, its `.`, and the `..` of each subdirectory. The workspace has no hard links, so files have 1. */
export async function linksOf({ fs }: CommandContext, path: string, stat: BashStat): Promise<number> {
  if (!stat.isDirectory) return 1
  const entries = await fs.readdirWithFileTypes(path).catch(() => [])
  return 2 + entries.filter(({ isDirectory }) => isDirectory).length
}
