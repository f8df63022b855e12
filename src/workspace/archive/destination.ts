import { FsError, hasCode } from '../../errors/index.js'
import type { FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { parentPath } from '../paths.js'
import { viewOf } from '../state.js'

/** `new`: made by the import itself, so that nothing is in it but what the import has put there. */
type Folder = 'there' | 'new' | 'missing'

/**
 * Looks at where entries go, without following a link: what is below one would land somewhere else than the archive says. Remembers the
 * directories that it has seen; nobody else may write there meanwhile.
 */
export class Destination {
  readonly #workspace: Workspace
  readonly #folders = new Map<string, Folder>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    this.#folders.set(workspace.root, 'there')
  }

  /** What is at a path; undefined: nothing. @throws {FsError} ENOTDIR, ELOOP for what is above it */
  async look(path: string): Promise<FsStat | undefined> {
    return (await this.folder(parentPath(path))) === 'there' ? this.now(path) : undefined
  }

  /** @throws {FsError} ENOTDIR, ELOOP when it, or what is above it, is something else than a directory */
  async folder(path: string): Promise<Folder> {
    const known = this.#folders.get(path)
    if (known) return known
    if ((await this.folder(parentPath(path))) === 'there') return this.folderNow(path)
    this.#folders.set(path, 'missing')
    return 'missing'
  }

  /** The same, whatever is remembered. */
  async folderNow(path: string): Promise<Folder> {
    const found = await this.now(path)
    if (found && found.kind !== 'dir') {
      const link = found.kind === 'symlink'
      throw new FsError({
        code: link ? 'ELOOP' : 'ENOTDIR',
        op: 'import into',
        path,
        detail: link ? 'a link is there, and nothing is imported through a link' : 'a file is there',
      })
    }
    const folder = found ? 'there' : 'missing'
    this.#folders.set(path, folder)
    return folder
  }

  /** A directory was made. A path rule may forbid to look at what is to be in it, and is asked. */
  made(path: string): void {
    this.#folders.set(path, viewOf(this.#workspace).tree.policy.hasRules ? 'there' : 'new')
  }

  /** As `look`, whatever is remembered. */
  async now(path: string): Promise<FsStat | undefined> {
    try {
      return await this.#workspace.lstat(path)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }
}
