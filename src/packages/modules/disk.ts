import { FsError, PolicyError, WorkspaceError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { isWithin, joinPath, parentPath } from '../../workspace/paths.js'
import { type Manifest, parseManifest } from './manifest.js'

/** The lookups of module resolution. Caches every answer for one load, so that a program sees a consistent state of its modules. */
export interface Disk {
  /**
   * Returns the kind of the entry at a virtual path, with links followed. Forbidden paths and paths outside the workspace count as missing.
   */
  kindOf(path: string): Promise<'file' | 'dir' | undefined>
  /** Returns the real path of an existing entry. */
  realpath(path: string): Promise<string>
  /** Reads the package.json in a folder. @throws {Unresolved} ERR_INVALID_PACKAGE_CONFIG */
  manifest(folder: string): Promise<Manifest | undefined>
  /** Reads the package.json of the package that a folder belongs to: the nearest one. @throws {Unresolved} ERR_INVALID_PACKAGE_CONFIG */
  scope(folder: string): Promise<Manifest | undefined>
  /** Lists the names in a folder. Empty if the path is not a folder. */
  names(folder: string): Promise<readonly string[]>
  /** Returns why a requested path could not be looked up, if the path counts as missing for that reason. */
  refusal(path: string): string | undefined
  /** Returns the folder and its ancestors, up to the root. */
  upwards(folder: string): readonly string[]
}

const MANIFEST_BYTES = 4 * 1024 * 1024

export function createDisk(workspace: Workspace): Disk {
  const { root } = workspace
  const kinds = new Map<string, Promise<'file' | 'dir' | undefined>>()
  const folders = new Map<string, Promise<string>>()
  const manifests = new Map<string, Promise<Manifest | undefined>>()
  const scopes = new Map<string, Promise<Manifest | undefined>>()
  const listings = new Map<string, Promise<readonly string[]>>()
  const links = new Set<string>()
  const refusals = new Map<string, string>()

  async function look(path: string): Promise<'file' | 'dir' | undefined> {
    if (!isWithin(path, root)) {
      refusals.set(path, 'outside the workspace')
      return undefined
    }
    try {
      const { kind } = await workspace.lstat(path)
      if (kind !== 'symlink') return kind
      links.add(path)
      const target = await workspace.stat(path)
      return target.kind === 'dir' ? 'dir' : 'file'
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (!('code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))) refusals.set(path, error.message)
      return undefined
    }
  }

  async function read(folder: string): Promise<Manifest | undefined> {
    const path = joinPath(folder, 'package.json')
    if ((await disk.kindOf(path)) !== 'file') return undefined
    try {
      return parseManifest(folder, path, (await workspace.readText(path, { maxBytes: MANIFEST_BYTES })).text)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusals.set(path, error.message)
      return undefined
    }
  }

  async function nearest(folder: string): Promise<Manifest | undefined> {
    if (folder.endsWith('/node_modules')) return undefined
    const own = await disk.manifest(folder)
    return own ?? (folder === root || !isWithin(folder, root) ? undefined : disk.scope(parentPath(folder)))
  }

  async function list(folder: string): Promise<readonly string[]> {
    if ((await disk.kindOf(folder)) !== 'dir') return []
    try {
      return (await workspace.list(folder)).map(({ name }) => name)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return []
    }
  }

  const disk: Disk = {
    kindOf: (path) => kept(kinds, path, look),
    async realpath(path) {
      if (links.has(path)) return workspace.realpath(path)
      const parent = parentPath(path)
      // Most files are not links, and many share a folder.
      return joinPath(await kept(folders, parent, (folder) => workspace.realpath(folder)), path.slice(path.lastIndexOf('/') + 1))
    },
    manifest: (folder) => kept(manifests, folder, read),
    scope: (folder) => kept(scopes, folder, nearest),
    names: (folder) => kept(listings, folder, list),
    refusal: (path) => refusals.get(path),
    upwards(folder) {
      const all = [folder]
      for (let at = folder; at !== root && isWithin(at, root); ) {
        at = parentPath(at)
        all.push(at)
      }
      return all
    },
  }
  return disk
}

/** Caches one promise per key, even while it is pending. */
function kept<T>(cache: Map<string, Promise<T>>, key: string, ask: (key: string) => Promise<T>): Promise<T> {
  const known = cache.get(key)
  if (known) return known
  const asked = ask(key)
  cache.set(key, asked)
  return asked
}

function isRefusal(error: unknown): error is FsError | WorkspaceError | PolicyError {
  return FsError.is(error) || error instanceof WorkspaceError || error instanceof PolicyError
}
