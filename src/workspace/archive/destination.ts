import { FsError, ignoreCodes } from '../../errors/index.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { parentPath } from '../paths.js'
import { viewOf } from '../state.js'

/** The state of a folder. `new`: this import created the folder, so it contains only imported entries. */
type Folder = 'there' | 'new' | 'missing'

/**
 * Looks up the destinations of entries without following links, because an entry below a link would end up at another path. Caches known
 * directories; nobody else may write there meanwhile.
 */
export class Destination {
  readonly #workspace: Workspace
  readonly #folders = new Map<string, Folder>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    this.#folders.set(workspace.root, 'there')
  }

  /** Returns the entry at a path; undefined: no entry. @throws {FsError} ENOTDIR, ELOOP for its parents */
  async look(path: string): Promise<FsStat | undefined> {
    return (await this.folder(parentPath(path))) === 'there' ? this.now(path) : undefined
  }

  /** @throws {FsError} ENOTDIR, ELOOP if it, or a parent, is not a directory */
  async folder(path: string): Promise<Folder> {
    const known = this.#folders.get(path)
    if (known) return known
    if ((await this.folder(parentPath(path))) === 'there') return this.folderNow(path)
    this.#folders.set(path, 'missing')
    return 'missing'
  }

  /** Looks up a folder without the cache. */
  async folderNow(path: string): Promise<Folder> {
    const found = await this.now(path)
    if (found && found.kind !== 'dir') {
      const link = found.kind === 'symlink'
      throw new FsError({
        code: link ? 'ELOOP' : 'ENOTDIR',
        op: 'import into',
        path,
        detail: link ? 'the destination is a link, and imports do not follow links' : 'the destination is a file',
      })
    }
    const folder = found ? 'there' : 'missing'
    this.#folders.set(path, folder)
    return folder
  }

  /** Records that the import created a directory. If there are path rules, look up its entries nevertheless: the rules apply to them. */
  made(path: string): void {
    this.#folders.set(path, viewOf(this.#workspace).tree.policy.hasRules ? 'there' : 'new')
  }

  /** As `look`, without the cache. */
  async now(path: string): Promise<FsStat | undefined> {
    return this.#workspace.lstat(path).catch(ignoreCodes('ENOENT'))
  }
}
