import { FsError, hasCode } from '../../errors/index.js'
import type { FileKind, FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { encodingOf, type NodeEncoding, type NodeWriteOptions, toBytes, writeOptionsOf } from './node-options.js'
import { Routes } from './routes.js'
import { withErrno } from './to-errno.js'

/** What `stat` answers: the parts of Node's `Stats` that git clients and file utilities read. */
export interface NodeStats {
  readonly size: number
  /** With the type bits (`0o100644`). */
  readonly mode: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly mtime: Date
  readonly ctime: Date
  /** Stable for a path, never 0. */
  readonly ino: number
  readonly dev: number
  readonly nlink: number
  readonly uid: number
  readonly gid: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export interface NodeDirent {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** The part of `node:fs/promises` that a client such as isomorphic-git needs, with Node's meaning and error codes. */
export interface NodeFsPromises {
  readFile(path: string, options?: NodeEncoding): Promise<Uint8Array | string>
  writeFile(path: string, data: string | Uint8Array, options?: string | NodeWriteOptions | null): Promise<void>
  appendFile(path: string, data: string | Uint8Array): Promise<void>
  mkdir(path: string, options?: { readonly recursive?: boolean } | number): Promise<void>
  rmdir(path: string): Promise<void>
  unlink(path: string): Promise<void>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  stat(path: string): Promise<NodeStats>
  lstat(path: string): Promise<NodeStats>
  readdir(path: string, options?: { readonly withFileTypes?: boolean }): Promise<(string | NodeDirent)[]>
  readlink(path: string, options?: NodeEncoding): Promise<string | Uint8Array>
  symlink(target: string, path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  copyFile(from: string, to: string): Promise<void>
  access(path: string): Promise<void>
  realpath(path: string): Promise<string>
  chmod(path: string, mode: number): Promise<void>
  utimes(path: string, atime: number | Date, mtime: number | Date): Promise<void>
}

const TYPE_BITS: Readonly<Record<FileKind, number>> = { file: 0o100000, dir: 0o040000, symlink: 0o120000 }
const DEFAULT_MODE: Readonly<Record<FileKind, number>> = { file: 0o644, dir: 0o755, symlink: 0o777 }

/**
 * The workspace as an object shaped like Node's `fs`, for libraries that take one. Same locks, quotas and policy as the tools; relative
 * paths start at `workspace.cwd`. `promises` is an own enumerable property, which isomorphic-git looks for.
 */
export function toNodeFs(workspace: Workspace): { readonly promises: NodeFsPromises } {
  const routes = new Routes([{ folder: workspace.root, workspace }], workspace.cwd)
  const run = <T>(op: string, input: string, body: (path: string) => Promise<T>): Promise<T> => {
    const path = routes.absolute(String(input))
    return withErrno(op, path, () => body(path))
  }
  const change = <T>(op: string, input: string, body: (workspace: Workspace, path: string) => Promise<T>): Promise<T> =>
    run(op, input, async (path) => body(routes.at(path, op, 'write'), path))

  return {
    promises: {
      readFile: (input, options) =>
        run('read', input, async (path) => {
          const { bytes } = await routes.at(path, 'read', 'read').readBytes(path)
          return encodingOf(options, path) === undefined ? bytes : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
        }),
      writeFile: (input, data, options) =>
        change('write', input, async (at, path) => {
          const { write, mode } = writeOptionsOf(options, path)
          const { created } = await at.writeBytes(path, toBytes(path, data), write)
          if (created && mode !== undefined && at.fs.can.mode) await at.setMeta(path, { mode })
        }),
      appendFile: (input, data) =>
        change('append to', input, async (at, path) => {
          await at.writeBytes(path, toBytes(path, data), { parents: false, mode: 'append' })
        }),
      mkdir: (input, options) =>
        run('make directory', input, async (path) => {
          const recursive = typeof options === 'object' && options?.recursive === true
          if (routes.isAbove(path)) {
            if (recursive) return
            throw new FsError({ code: 'EEXIST', op: 'make directory', path })
          }
          await routes.at(path, 'make directory', 'write').mkdir(path, { parents: recursive })
        }),
      rmdir: (input) =>
        change('remove', input, async (at, path) => {
          if ((await at.lstat(path)).kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'remove', path })
          await at.remove(path)
        }),
      unlink: (input) =>
        change('remove', input, async (at, path) => {
          if ((await at.lstat(path)).kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'remove', path })
          await at.remove(path)
        }),
      rm: (input, options) =>
        change('remove', input, async (at, path) => {
          try {
            const { kind } = await at.lstat(path)
            if (kind === 'dir' && !options?.recursive) throw new FsError({ code: 'EISDIR', op: 'remove', path })
            await at.remove(path, { recursive: options?.recursive ?? false })
          } catch (error) {
            if (!options?.force || !hasCode(error, 'ENOENT')) throw error
          }
        }),
      stat: (input) => run('stat', input, async (path) => toStats(path, await routes.stat(path, true))),
      lstat: (input) => run('stat', input, async (path) => toStats(path, await routes.stat(path, false))),
      readdir: (input, options) =>
        run('list', input, async (path) => {
          const entries = await routes.list(path)
          return entries.map(({ name, kind }) => (options?.withFileTypes ? { name, ...kindMethods(kind) } : name))
        }),
      readlink: (input, options) =>
        run('read link', input, async (path) => {
          const target = await routes.at(path, 'read link', 'read').readlink(path)
          return wantsBytes(options) ? new TextEncoder().encode(target) : target
        }),
      symlink: (target, input) => change('make link', input, (at, path) => at.symlink(String(target), path)),
      rename: (from, to) =>
        change('move', from, async (at, path) => {
          const dest = routes.absolute(to)
          routes.at(dest, 'move', 'write')
          await at.move(path, dest, { overwrite: true, parents: false })
        }),
      copyFile: (from, to) =>
        change('copy', to, async (at, dest) => {
          const source = await routes.at(routes.absolute(from), 'copy', 'read').realpath(routes.absolute(from))
          await at.copy(source, dest, { overwrite: true, parents: false })
        }),
      access: (input) =>
        run('access', input, async (path) => {
          await routes.stat(path, true)
        }),
      realpath: (input) =>
        run('resolve', input, async (path) => {
          await routes.stat(path, true)
          return routes.isAbove(path) ? path : workspace.realpath(path)
        }),
      chmod: (input, mode) => change('change the mode of', input, (at, path) => at.setMeta(path, { mode: mode & 0o7777 })),
      utimes: (input, _atime, mtime) =>
        change('change the time of', input, (at, path) =>
          at.setMeta(path, { mtimeMs: typeof mtime === 'number' ? mtime * 1000 : mtime.getTime() }),
        ),
    },
  }
}

/** A link's target is text unless it is asked for as bytes. */
function wantsBytes(options: NodeEncoding): boolean {
  return (typeof options === 'string' ? options : options?.encoding) === 'buffer'
}

function kindMethods(kind: FileKind): Pick<NodeStats, 'isFile' | 'isDirectory' | 'isSymbolicLink'> {
  return { isFile: () => kind === 'file', isDirectory: () => kind === 'dir', isSymbolicLink: () => kind === 'symlink' }
}

function toStats(path: string, { kind, size, mtimeMs, mode }: FsStat): NodeStats {
  return {
    size,
    mode: TYPE_BITS[kind] | (mode ?? DEFAULT_MODE[kind]),
    mtimeMs,
    ctimeMs: mtimeMs,
    mtime: new Date(mtimeMs),
    ctime: new Date(mtimeMs),
    ino: pathNumber(path),
    dev: 1,
    nlink: 1,
    uid: 0,
    gid: 0,
    ...kindMethods(kind),
  }
}

/** FNV-1a of the path, 31 bits, never 0: clients compare inode numbers to see whether a file is still the same one. */
function pathNumber(path: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < path.length; i++) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193)
  return hash & 0x7fffffff || 1
}
