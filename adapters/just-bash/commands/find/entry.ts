import type { BashDirent, BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import type { CommandContext } from '../shared/command.js'
import { errorWords, hasErrno } from '../shared/errno.js'
import { quoted } from './messages.js'
import type { Output } from './output.js'

/** `-P`, `-H`, `-L` */
export type Following = 'never' | 'start' | 'always'

export type FileType = 'f' | 'd' | 'l'

export interface EntryParts {
  readonly context: CommandContext
  readonly output: Output
  /** As it is shown. */
  readonly name: string
  /** For the filesystem. */
  readonly path: string
  readonly start: string
  readonly depth: number
  /** Its link is followed. */
  readonly follows: boolean
  /** As its directory lists it; of a starting point, as `lstat` does. */
  readonly listed: Omit<BashDirent, 'name'>
}

/** One file of the walk. What is known of it is asked for once, when a test needs it. */
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

  /** The last part of its name, without slashes at the end. */
  get base(): string {
    const bare = this.name.replace(/\/+$/, '')
    return bare === '' ? this.name.slice(0, 1) : bare.slice(bare.lastIndexOf('/') + 1)
  }

  /** The last part of its name, with a slash where the name ends with one, as `-printf %f` and `-execdir` show it. */
  get shownBase(): string {
    const { base } = this
    return this.name.endsWith('/') && base !== '/' ? `${base}/` : base
  }

  /** Of the file itself, or with `-L` of what its link leads to. Undefined: it cannot be had, which was reported. */
  stat(): Promise<BashStat | undefined> {
    this.#stat ??= this.#askStat()
    return this.#stat
  }

  type(): FileType | Promise<FileType | undefined> {
    const { listed } = this.#parts
    return listed.isSymbolicLink && this.follows ? this.stat().then((stat) => stat && typeOf(stat)) : typeOf(listed)
  }

  /** With what a link leads to where the walk does not follow, and the other way round: `-xtype`. 'l': it leads nowhere. */
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

  /** Of a link that is looked at as a link. */
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
        // A link that leads nowhere stands for itself.
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

/** As `stat` of this shell shows it. */
export const sizeOf = (stat: BashStat): number => (stat.isDirectory ? 4096 : stat.size)

/** A link has no mode of its own. */
export const modeOf = (stat: BashStat): number => (stat.isSymbolicLink ? 0o777 : stat.mode & 0o7777)

/** Of a directory: it itself, its name, and one for each directory in it. There are no hard links. */
export async function linksOf({ fs }: CommandContext, path: string, stat: BashStat): Promise<number> {
  if (!stat.isDirectory) return 1
  const entries = await fs.readdirWithFileTypes(path).catch(() => [])
  return 2 + entries.filter(({ isDirectory }) => isDirectory).length
}
