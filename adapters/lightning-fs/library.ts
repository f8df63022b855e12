import { Fault } from '../shared/fault.js'
import { codeOf } from '../shared/node-like/library-faults.js'
import type { NodePromisesLike, StatsLike } from '../shared/node-like/library-types.js'
import { deleteDatabase } from './database.js'
import type { Store } from './store.js'

/** The part of the library's `promises` object that is used here. */
export interface LightningPromises {
  init(name: string, options: object): unknown
  lstat(path: string): Promise<StatsLike>
  readdir(path: string): Promise<readonly string[]>
  readFile(path: string): Promise<Uint8Array | string>
  writeFile(path: string, data: Uint8Array, options?: { readonly mode: number }): Promise<unknown>
  mkdir(path: string, options?: { readonly mode: number }): Promise<unknown>
  unlink(path: string): Promise<unknown>
  rmdir(path: string): Promise<unknown>
  rename(from: string, to: string): Promise<unknown>
  readlink(path: string): Promise<string>
  symlink(target: string, path: string): Promise<unknown>
  chmod(path: string, mode: number): Promise<unknown>
  utimes(path: string, atime: Date, mtime: Date): Promise<unknown>
}

/** The class that `@isomorphic-git/lightning-fs` exports. */
export interface LightningFsClass {
  new (): { readonly promises: LightningPromises }
}

/** Imports the library. @throws {Fault} ENOTSUP if the package cannot be loaded */
export async function loadLibrary(): Promise<LightningFsClass> {
  // A dependency of the library needs `window` or `global`, and fails in module workers, which have neither.
  const scope: { window?: unknown; global?: unknown } = globalThis
  const isBare = scope.window === undefined && scope.global === undefined
  if (isBare) scope.global = globalThis
  try {
    return (await import('@isomorphic-git/lightning-fs')).default
  } catch (cause) {
    throw new Fault('ENOTSUP', 'the library could not be loaded: install @isomorphic-git/lightning-fs, or pass "lightningFs"', cause)
  } finally {
    if (isBare) delete scope.global
  }
}

/**
 * Starts an instance of the library that uses the store. The instance gets a random name, because the library takes a lock for the name and
 * may wait ten minutes for it. The adapter already holds the lock of the real name.
 */
export async function startLibrary(LightningFs: LightningFsClass, store: Store, name: string): Promise<NodePromisesLike> {
  const lock = lockOf(name)
  // Without Web Locks, the library uses a database as a lock, which an earlier page may have left behind.
  if (!navigator.locks) await deleteDatabase(lock)
  const { promises } = new LightningFs()
  await promises.init(`toolport:${name}:${chance()}`, { db: store, defer: true, lockDbName: lock, lockStoreName: lock })
  await promises.lstat('/')
  return nodeLike(promises)
}

/** Returns the name of the library's lock, which is also the name of the database that the library uses without Web Locks. */
export const lockOf = (name: string): string => `${name}_lock`

const chance = (): string => crypto.getRandomValues(new Uint32Array(3)).join('-')

/**
 * Returns the methods of Node's `promises`. Works around differences of the library: it ignores some options, and its rename does not
 * remove the content of a replaced file.
 */
function nodeLike(library: LightningPromises): NodePromisesLike {
  const modeOf = (options: { readonly mode?: number } | undefined): { mode: number } | undefined =>
    options?.mode === undefined ? undefined : { mode: options.mode }
  return {
    lstat: (path) => library.lstat(path),
    readdir: (path) => library.readdir(path),
    readFile: (path) => library.readFile(path),
    writeFile: (path, data, options) => library.writeFile(path, data, modeOf(options)),
    mkdir: (path, options) => library.mkdir(path, modeOf(options)),
    unlink: (path) => library.unlink(path),
    rmdir: (path) => library.rmdir(path),
    rename: async (from, to) => {
      if (await isFile(library, to)) await library.unlink(to)
      await library.rename(from, to)
    },
    readlink: (path) => library.readlink(path),
    symlink: (target, path) => library.symlink(target, path),
    chmod: (path, mode) => library.chmod(path, mode),
    utimes: (path, atime, mtime) => library.utimes(path, atime, mtime),
  }
}

async function isFile(library: LightningPromises, path: string): Promise<boolean> {
  try {
    return !(await library.lstat(path)).isDirectory()
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false
    throw cause
  }
}
