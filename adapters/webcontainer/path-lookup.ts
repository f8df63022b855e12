import type { FileKind } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import type { Container, Listing } from './container.js'

/** What one operation sees. There is no `lstat`: every directory on the way is listed, once. */
export class PathLookup {
  readonly #container: Container
  readonly #listings = new Map<string, Promise<Listing>>()

  constructor(container: Container) {
    this.#container = container
  }

  /** What is at a path; undefined: nothing, in a directory that is there. @throws {Fault} ENOENT ENOTDIR ELOOP for a parent */
  async kind(path: string): Promise<FileKind | undefined> {
    if (path === '/') {
      await this.list('/')
      return 'dir'
    }
    const folders = foldersOf(path)
    // Asked for at once. A link may stand in for a directory in any of these paths: the answers count from the top down.
    for (const folder of folders) this.list(folder).catch(() => undefined)
    const names = path.slice(1).split('/')
    for (const [depth, folder] of folders.entries()) {
      const kind = (await this.list(folder)).get(names[depth] as string)
      if (depth === names.length - 1) return kind
      if (kind !== 'dir') throw new Fault(kind === undefined ? 'ENOENT' : kind === 'file' ? 'ENOTDIR' : 'ELOOP')
    }
    return undefined
  }

  /** @throws {Fault} ENOENT, besides those of `kind` */
  async existing(path: string): Promise<FileKind> {
    const kind = await this.kind(path)
    if (kind === undefined) throw new Fault('ENOENT')
    return kind
  }

  /** Of a directory that was seen to be one. */
  list(path: string): Promise<Listing> {
    const known = this.#listings.get(path)
    if (known) return known
    const listing = this.#container.list(path)
    this.#listings.set(path, listing)
    return listing
  }
}

/** The directories above a path, from `/` down. */
function foldersOf(path: string): string[] {
  const folders = ['/']
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) folders.push(path.slice(0, end))
  return folders
}
