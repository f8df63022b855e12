import { FsError } from '../../src/errors/index.js'
import type { FsAdapter } from '../../src/types/fs.js'
import * as contents from './contents.js'
import * as entries from './entries.js'
import { Tree } from './tree.js'

/** Options of `createMemoryFs`. */
export interface MemoryFsOptions {
  /** The initial files: maps paths (`src/a.ts` or `/src/a.ts`) to text or bytes. Missing parent directories are created. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Returns the time for modification times, in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
  /** Maximum number of bytes of all files together. A write that would exceed the limit fails with ENOSPC. Default: unlimited. */
  readonly maxBytes?: number
  /** Maximum number of files, directories and links together. Creating one more fails with ENOSPC. Default: unlimited. */
  readonly maxFiles?: number
}

/** An `FsAdapter` with all optional methods except those that need a real file system. */
export type MemoryFs = FsAdapter &
  Required<Pick<FsAdapter, 'readlink' | 'symlink' | 'append' | 'copy' | 'rmTree' | 'setMeta' | 'usage' | 'checkpoint'>>

const encoder = new TextEncoder()
/**
 * The search module, loaded on the first search. It is kept here because an `await import()` for each directory would cost more than the
 * search.
 */
let search: typeof import('./search.js') | undefined

/**
 * Creates a storage in memory. This storage is the reference for every other adapter: directories list their entries by code unit, and each
 * call happens completely or not at all.
 *
 * @throws {FsError} for invalid `files`: EINVAL (`.`, `..`, an empty component), EEXIST (a duplicate path, or one path as file and
 * directory), ENOSPC
 */
export function createMemoryFs({ files = {}, now = Date.now, maxBytes = Infinity, maxFiles = Infinity }: MemoryFsOptions = {}): MemoryFs {
  const tree = new Tree({ now, maxBytes, maxFiles })
  const made = new Set<string>()
  for (const [path, content] of Object.entries(files)) addFile(tree, path, content, made)
  return {
    name: 'memory',
    can: {
      mode: true,
      atomicReplace: true,
      dirRename: true,
      durableOnAck: true,
      caseSensitive: true,
      raceSafe: true,
      persistence: 'memory',
    },
    // The methods are `async`, so that errors become rejections instead of being thrown synchronously.
    lstat: async (path) => entries.lstat(tree, path),
    readdir: async (path) => entries.readdir(tree, path),
    read: async (path, options) => contents.read(tree, path, options),
    write: async (path, bytes, options) => contents.write(tree, path, bytes, options?.create ?? 'always', options?.expect),
    mkdir: async (path) => entries.mkdir(tree, path),
    unlink: async (path) => entries.unlink(tree, path),
    rmdir: async (path) => entries.rmdir(tree, path),
    rename: async (from, to) => entries.rename(tree, from, to),
    flush: async () => tree.flush(),
    close: async () => tree.close(),
    readlink: async (path) => entries.readlink(tree, path),
    symlink: async (target, path) => entries.symlink(tree, target, path),
    append: async (path, bytes) => contents.append(tree, path, bytes),
    copy: async (from, to) => contents.copy(tree, from, to),
    rmTree: async (path) => entries.rmTree(tree, path),
    setMeta: async (path, meta) => entries.setMeta(tree, path, meta),
    scanBelow: async (directory, names, needle) => {
      if (!needle) return names.map(() => undefined)
      search ??= await import('./search.js')
      return search.scanBelow(tree, directory, names, needle)
    },
    usage: async () => {
      tree.flush()
      return { bytes: tree.bytes, files: tree.files }
    },
    checkpoint: async () => {
      // Take the root synchronously, so that later calls do not affect the checkpoint.
      const root = tree.keep()
      const { Moment } = await import('./moment.js')
      return new Moment(tree, root)
    },
  }
}

function addFile(tree: Tree, key: string, content: string | Uint8Array, made: Set<string>): void {
  const path = key.startsWith('/') ? key : `/${key}`
  const names = path.slice(1).split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) {
    throw new FsError({ code: 'EINVAL', op: 'write', path: key, detail: 'write the path without empty, "." and ".." components' })
  }
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    const dir = path.slice(0, end)
    if (!made.has(dir)) entries.mkdir(tree, dir)
    made.add(dir)
  }
  contents.write(tree, path, typeof content === 'string' ? encoder.encode(content) : content, 'exclusive')
}
