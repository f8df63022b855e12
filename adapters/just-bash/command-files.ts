import { FsError, hasCode } from '../../src/errors/index.js'
import type { FsAdapter } from '../../src/types/fs.js'
import type { BashDirent, BashFs, BashStat } from '../../src/workspace/facades/to-bash-fs.js'

const FOLDERS = ['/usr/bin', '/bin'] as const

const FILE: BashStat = { isFile: true, isDirectory: false, isSymbolicLink: false, mode: 0o755, size: 0, mtime: new Date(0) }
const FOLDER: BashStat = { ...FILE, isFile: false, isDirectory: true }

/**
 * `/bin` and `/usr/bin`: a file for each command of the shell, plus files that scripts put there. The library looks there for every
 * command, so lookups need no call of the storage unless scripts have added files.
 */
export class CommandFiles {
  readonly #names: readonly string[]
  readonly #paths: ReadonlySet<string>
  #extended: boolean

  /** @param extended whether scripts may have added files already */
  constructor(names: readonly string[], extended: boolean) {
    this.#names = names
    this.#paths = new Set(FOLDERS.flatMap((folder) => names.map((name) => `${folder}/${name}`)))
    this.#extended = extended
  }

  isCommand(path: string): boolean {
    return this.#paths.has(path)
  }

  at(path: string): BashStat | undefined {
    if (this.#paths.has(path)) return { ...FILE, identity: `commands:${path}` }
    return isFolder(path) ? { ...FOLDER, identity: `commands:${path}` } : undefined
  }

  /** Whether only the shell's own commands can exist at the path, so that `isCommand` alone tells whether the path exists. */
  lacks(path: string): boolean {
    return !this.#extended && isInside(path)
  }

  async list(path: string, fs: BashFs): Promise<BashDirent[]> {
    if (!isFolder(path)) return fs.readdirWithFileTypes(path)
    const own = this.#names.map((name): BashDirent => ({ name, isFile: true, isDirectory: false, isSymbolicLink: false }))
    if (!this.#extended) return own
    const added = await fs.readdirWithFileTypes(path).catch(() => [])
    return [...own, ...added].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /**
   * Call before changing a path. If the path is in one of the folders, later lookups need the storage.
   *
   * @throws {FsError} EACCES for a command of the shell
   */
  async allowChange(path: string, fs: BashFs): Promise<void> {
    if (this.at(path)) throw new FsError({ code: 'EACCES', op: 'change', path, detail: 'it belongs to the shell' })
    if (!isInside(path)) return
    this.#extended = true
    for (const folder of FOLDERS) if (path.startsWith(`${folder}/`)) await fs.mkdir(folder, { recursive: true })
  }
}

const isFolder = (path: string): boolean => path === FOLDERS[0] || path === FOLDERS[1]
const isInside = (path: string): boolean => path.startsWith('/usr/bin/') || path.startsWith('/bin/')

/** Whether the storage has one of the two folders, in which scripts may have put files. */
export async function hasCommandFolders(scratch: FsAdapter): Promise<boolean> {
  const present = await Promise.all(FOLDERS.map((folder) => isThere(scratch, folder)))
  return present.includes(true)
}

async function isThere(scratch: FsAdapter, path: string): Promise<boolean> {
  try {
    await scratch.lstat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
