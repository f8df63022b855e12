import type { FileKind } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import type { Container, Listing } from './container.js'

/**
 * Finds the kinds of entries for one operation. The container has no `lstat`, so every directory on a path is listed. Each directory is
 * listed only once per operation.
 */
export class PathLookup {
  readonly #container: Container
  readonly #listings = new Map<string, Promise<Listing>>()

  constructor(container: Container) {
    this.#container = container
  }

  /**
   * Returns the kind of the entry at a path, or undefined if the parents exist but the entry does not. @throws {Fault} ENOENT ENOTDIR ELOOP
   * for a parent
   */
  async kind(path: string): Promise<FileKind | undefined> {
    if (path === '/') {
      await this.list('/')
      return 'dir'
    }
    const folders = foldersOf(path)
    // All directories are listed at the same time. A path may lead through a symlink, so the results are checked from the top down.
    for (const folder of folders) this.list(folder).catch(() => undefined)
    const names = path.slice(1).split('/')
    for (const [depth, folder] of folders.entries()) {
      const kind = (await this.list(folder)).get(names[depth] as string)
      if (depth === names.length - 1) return kind
      if (kind !== 'dir') throw new Fault(kind === undefined ? 'ENOENT' : kind === 'file' ? 'ENOTDIR' : 'ELOOP')
    }
    return undefined
  }

  /** @throws {Fault} ENOENT, or like `kind` */
  async existing(path: string): Promise<FileKind> {
    const kind = await this.kind(path)
    if (kind === undefined) throw new Fault('ENOENT')
    return kind
  }

  /** Lists a directory. Call only if the path is known to be a directory. */
  list(path: string): Promise<Listing> {
    const known = this.#listings.get(path)
    if (known) return known
    const listing = this.#container.list(path)
    this.#listings.set(path, listing)
    return listing
  }
}

/** Returns the directories above a path, from `/` down. */
function foldersOf(path: string): string[] {
  const folders = ['/']
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) folders.push(path.slice(0, end))
  return folders
}
