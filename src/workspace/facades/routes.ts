import { FsError, type FsErrorCode, hasCode, ignoreCodes } from '../../errors/index.js'
import type { FsEntry, FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { baseName, isWithin, joinPath, parentPath } from '../paths.js'

/** A workspace, and the folder of the facade's tree that the workspace serves. `folder` is `/` in the workspace's own paths. */
export interface Route {
  readonly folder: string
  readonly workspace: Workspace
}

const SYNTHETIC: FsStat = { kind: 'dir', size: 0, mtimeMs: 0, version: 'synthetic' }

/**
 * The tree that a client with Node's or bash's interface sees: the routed folders, and directories above that only lead to them. All paths
 * are virtual and absolute; `..` stops at `/`, as in POSIX.
 */
export class Routes {
  readonly #routes: readonly Route[]
  readonly #cwd: string

  /** The deepest route that contains a path serves it. */
  constructor(routes: readonly Route[], cwd: string) {
    this.#routes = [...routes].sort((a, b) => b.folder.length - a.folder.length)
    this.#cwd = cwd
  }

  /** @throws {FsError} ENOENT for an empty path, which is not the working directory */
  absolute(path: string, base: string = this.#cwd): string {
    if (path === '') throw new FsError({ code: 'ENOENT', op: 'find', path })
    const kept: string[] = []
    for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
      if (part === '..') kept.pop()
      else if (part !== '' && part !== '.') kept.push(part)
    }
    return `/${kept.join('/')}`
  }

  /**
   * Resolves a path like `absolute`, with the checks of POSIX: the part before `..`, and before a slash or `.` at the end, has to be a
   * directory. A link there is followed, but an operation does not move or remove the link's target.
   *
   * @throws {FsError} ENOTDIR, ENOENT. For `x/.`: EISDIR to write, EBUSY to move, EINVAL to remove
   */
  async located(given: string, op: string): Promise<string> {
    const path = this.absolute(given)
    const parts = given.split('/')
    const fail = (code: FsErrorCode): FsError => new FsError({ code, op, path: given })
    for (let i = 1; i < parts.length; i++) {
      if (parts[i] !== '..' || ['', '.', '..'].includes(parts[i - 1] as string)) continue
      if ((await this.stat(this.absolute(parts.slice(0, i).join('/')), true)).kind !== 'dir') throw fail('ENOTDIR')
    }
    const last = parts.at(-1)
    if ((last !== '' && last !== '.') || parts.length < 2 || path === '/' || this.isAbove(path) || op === 'make directory') return path
    if (op === 'write') throw fail('EISDIR')
    const [own, stat] = [await this.statIfAny(path, false), await this.statIfAny(path, true)]
    if (!stat && (own || op === 'make link')) throw fail('ENOENT')
    const changes = op === 'remove' || op === 'move'
    if (stat && (stat.kind !== 'dir' || (changes && own?.kind === 'symlink'))) throw fail('ENOTDIR')
    if (stat && changes && last === '.') throw fail(op === 'move' ? 'EBUSY' : 'EINVAL')
    return own?.kind === 'symlink' ? this.at(path, op, 'read').realpath(path) : path
  }

  /** Looks up an entry. Undefined: no entry. */
  async statIfAny(path: string, follow: boolean): Promise<FsStat | undefined> {
    return this.stat(path, follow).catch(ignoreCodes('ENOENT'))
  }

  /** The workspace that serves a path. @throws {FsError} without one: ENOENT for a read, EACCES for a change */
  at(path: string, op: string, access: 'read' | 'write'): Workspace {
    const route = this.#find(path)
    if (route) return route.workspace
    if (access === 'write') throw new FsError({ code: 'EACCES', op, path, detail: 'it is outside the workspace' })
    if (this.isAbove(path)) throw new FsError({ code: 'EISDIR', op, path })
    throw new FsError({ code: 'ENOENT', op, path })
  }

  /** Whether the path is a directory outside all workspaces that leads to one. */
  isAbove(path: string): boolean {
    return this.#find(path) === undefined && this.#routes.some(({ folder }) => isWithin(folder, path))
  }

  async stat(path: string, follow: boolean): Promise<FsStat> {
    if (this.isAbove(path)) return SYNTHETIC
    try {
      const workspace = this.at(path, 'stat', 'read')
      return await (follow ? workspace.stat(path) : workspace.lstat(path))
    } catch (error) {
      // A route's folder may be empty and still have another route below it.
      if (hasCode(error, 'ENOENT') && this.#below(path).length > 0) return SYNTHETIC
      throw error
    }
  }

  async list(path: string): Promise<FsEntry[]> {
    const entries = new Map<string, FsEntry>(this.#below(path).map((name) => [name, { name, kind: 'dir' }]))
    if (!this.isAbove(path)) {
      const own = await this.at(path, 'list', 'read')
        .list(path)
        .catch((error: unknown) => {
          if (hasCode(error, 'ENOENT') && entries.size > 0) return []
          throw error
        })
      for (const entry of own) entries.set(entry.name, entry)
    }
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  #find(path: string): Route | undefined {
    return this.#routes.find(({ folder }) => isWithin(path, folder))
  }

  /** Lists the names in the directory `path` that lead to a route below that directory. */
  #below(path: string): string[] {
    const names = this.#routes.flatMap(({ folder }) => (folder !== path && isWithin(folder, path) ? [childOf(folder, path)] : []))
    return [...new Set(names)]
  }
}

function childOf(folder: string, path: string): string {
  for (let at = folder; ; at = parentPath(at)) if (joinPath(path, baseName(at)) === at) return baseName(at)
}
