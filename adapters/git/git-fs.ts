import { FsError, ignoreCodes } from '../../src/errors/index.js'
import type { FsStat } from '../../src/types/fs.js'
import type { Workspace } from '../../src/types/workspace.js'
import type { NodeEncoding } from '../../src/workspace/facades/node-options.js'
import { toNodeFs } from '../../src/workspace/facades/to-node-fs.js'
import { replaceEntry } from '../../src/workspace/replacing.js'
import type { Keeping, KeptModes } from './kept-modes.js'

/** The file system that isomorphic-git gets as `fs`. */
export interface LibraryFs {
  readonly promises: LibraryFsPromises
  /** Replaces a file or symlink atomically. On storages with modes, the mode is then set in a separate step. */
  put(path: string, mode: number, content: Uint8Array): Promise<void>
}

interface LibraryFsPromises {
  /** Reads a file. With the option `autocrlf`, returns the content of a worktree file as git stores it. */
  readFile(path: string, options?: NodeEncoding | ContentOptions): Promise<Uint8Array | string>
  writeFile(path: string, data: string | Uint8Array, options?: { readonly mode?: number }): Promise<void>
  mkdir(path: string): Promise<void>
  rmdir(path: string): Promise<void>
  unlink(path: string): Promise<void>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  stat(path: string): Promise<object>
  lstat(path: string): Promise<object>
  readdir(path: string): Promise<unknown[]>
  readlink(path: string): Promise<Uint8Array>
  symlink(target: string, path: string): Promise<void>
}

export interface GitFsOptions {
  readonly workspace: Workspace
  readonly keeps: Keeping
  /** Git modes that the storage cannot keep. */
  readonly kept: KeptModes
  /** After an abort, every call rejects with the reason of the abort, which stops the operation. */
  readonly signal: AbortSignal | undefined
  /** Called for every created file, symlink and directory. */
  readonly onCreate?: (path: string, kind: 'file' | 'dir') => void
  /** Converts the content of a worktree file (virtual path) to stored content. */
  readonly stored: (path: string, bytes: Uint8Array) => Promise<Uint8Array>
}

/** The file stats that the library reads. A new object each time, because the library modifies them. */
interface LibraryStats {
  mode: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeSeconds: number
  readonly ctimeNanoseconds: number
  readonly ino: number
  readonly dev: number
  readonly uid: number
  readonly gid: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

export const LINK = 0o120000
export const EXECUTABLE = 0o100755
export const REGULAR = 0o100644

/**
 * Like `toNodeFs`, with three differences for the library. First, a written file gets new stats even within one clock tick and with the
 * same size, because the stats include the version. Otherwise, the library would take the file for unchanged and overwrite it. Second,
 * symlinks and executable files keep their git mode on storages that cannot store it. Third, removing a directory that is not empty does
 * nothing and reports no error.
 */
export function gitFs({ workspace, keeps, kept, signal, onCreate, stored }: GitFsOptions): LibraryFs {
  const { promises } = toNodeFs(workspace)
  const lstat = async (path: string): Promise<LibraryStats> => {
    const stat = await workspace.lstat(path)
    return statsOf(stat, keeps.modes, (stat.kind === 'file' && kept.get(workspace.resolve(path))) || undefined)
  }
  const methods: LibraryFsPromises = {
    readFile: async (path, options) => {
      if (!isContent(options)) return promises.readFile(path, options)
      // Switch the option off, or else the library would convert the content again.
      options.autocrlf = undefined
      return stored(workspace.resolve(path), (await workspace.readBytes(path)).bytes)
    },
    writeFile: async (path, data, options) => {
      if (OWN_FILE.test(path)) await refuseLink(workspace, path)
      const bytes = typeof data === 'string' ? encoder.encode(data) : data
      const { created, path: at } = await workspace.writeBytes(path, bytes, { parents: false })
      const executable = ((options?.mode ?? 0) & 0o111) !== 0
      if (created) onCreate?.(at, 'file')
      if (created && executable && workspace.fs.can.mode) await workspace.setMeta(at, { mode: 0o755 })
      kept.set(at, executable ? EXECUTABLE : REGULAR)
    },
    mkdir: async (path) => {
      await promises.mkdir(path)
      onCreate?.(workspace.resolve(path), 'dir')
    },
    rmdir: async (path) => {
      await promises.rmdir(path).catch(ignoreCodes('ENOTEMPTY'))
    },
    unlink: async (path) => {
      await promises.unlink(path)
      kept.set(workspace.resolve(path), REGULAR)
    },
    rm: promises.rm,
    stat: promises.stat,
    lstat,
    readdir: promises.readdir,
    readlink: async (path) => {
      if (kept.get(workspace.resolve(path)) === LINK) return (await workspace.readBytes(path)).bytes
      return encoder.encode(await workspace.readlink(path))
    },
    symlink: async (target, path) => {
      if (keeps.links) await workspace.symlink(target, path)
      else await workspace.writeBytes(path, encoder.encode(target), { parents: false, mode: 'create' })
      kept.set(workspace.resolve(path), LINK)
      onCreate?.(workspace.resolve(path), 'file')
    },
  }
  const put = async (path: string, mode: number, content: Uint8Array): Promise<void> => {
    signal?.throwIfAborted()
    const there = await workspace.lstat(path).catch(ignoreCodes('ENOENT'))
    const isLink = mode === LINK && keeps.links
    if (isLink) await replaceEntry(workspace, path, { target: new TextDecoder().decode(content) })
    else if (there?.kind === 'symlink') await replaceEntry(workspace, path, { content })
    else await workspace.writeBytes(path, content, { parents: false })
    if (!there) onCreate?.(workspace.resolve(path), 'file')
    kept.set(workspace.resolve(path), mode)
    if (isLink || !workspace.fs.can.mode) return
    const executable = (mode & 0o111) !== 0
    const has = ((there?.kind === 'file' ? there.mode : undefined) ?? 0) & 0o111
    if (executable !== (has !== 0)) await workspace.setMeta(path, { mode: executable ? 0o755 : 0o644 })
  }
  return { promises: stoppable(methods, signal), put }
}

/** Files of git that may be symlinks in old repositories. The library would write through the link. */
const OWN_FILE = /\/\.git\/(?!objects\/)/

async function refuseLink(workspace: Workspace, path: string): Promise<void> {
  const there = await workspace.lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (there?.kind !== 'symlink') return
  throw new FsError({ code: 'ENOTSUP', op: 'write', path, detail: 'it is a symbolic link among what git keeps, which is not supported' })
}

/** Options that the library passes when it reads a worktree file. */
interface ContentOptions {
  autocrlf: string | undefined
}

const isContent = (options: unknown): options is ContentOptions => typeof options === 'object' && options !== null && 'autocrlf' in options

const encoder = new TextEncoder()

function stoppable(methods: LibraryFsPromises, signal: AbortSignal | undefined): LibraryFsPromises {
  if (!signal) return methods
  const guard = (method: (...args: never[]) => Promise<unknown>) => {
    return async (...args: never[]) => {
      signal.throwIfAborted()
      return method(...args)
    }
  }
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, guard(method)])) as unknown as LibraryFsPromises
}

const TYPE_BITS = { file: REGULAR, dir: 0o040000, symlink: LINK } as const

/** The index stores seconds in 32 bits. Like in native git, later times wrap around. The library cannot write times before 1970. */
const INDEX_MS = 2 ** 32 * 1000

function statsOf(
  { kind, size, mtimeMs: time, mode = 0, version }: FsStat,
  keepsModes: boolean,
  keptMode: number | undefined,
): LibraryStats {
  const mtimeMs = ((time % INDEX_MS) + INDEX_MS) % INDEX_MS
  const isLink = kind === 'symlink' || keptMode === LINK
  return {
    mode: keptMode ?? (kind === 'file' && keepsModes && (mode & 0o111) !== 0 ? EXECUTABLE : TYPE_BITS[kind]),
    size,
    mtimeMs,
    ctimeSeconds: Math.floor(mtimeMs / 1000),
    ctimeNanoseconds: hash(`${version}.`) % 1_000_000_000,
    ino: hash(`${version}`),
    dev: 1,
    uid: 0,
    gid: 0,
    isFile: () => kind === 'file' && !isLink,
    isDirectory: () => kind === 'dir',
    isSymbolicLink: () => isLink,
  }
}

/** Returns the FNV-1a hash of a text, shortened to 31 bits. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return sum & 0x7fffffff
}
