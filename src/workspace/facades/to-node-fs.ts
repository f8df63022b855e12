import { FsError, hasCode, ignoreCodes } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import type { Workspace } from '../../types/workspace.js'
import { parentPath } from '../paths.js'
import { decode } from './encodings.js'
import {
  booleanArg,
  checkReadFlag,
  checkSignal,
  dataArg,
  encodingOf,
  integerArg,
  madeMode,
  modeArg,
  type NodeData,
  type NodeEncoding,
  type NodePath,
  type NodeWriteOptions,
  named,
  optionsArg,
  pathArg,
  removalArg,
  timeArg,
  writeOptionsOf,
  wrongValue,
} from './node-options.js'
import { kindMethods, type NodeDirent, type NodeStats, toStats } from './node-stats.js'
import { Routes } from './routes.js'
import { withErrno } from './to-errno.js'

interface Recursive {
  readonly recursive?: boolean
}

/**
 * The part of `node:fs/promises` that a client such as isomorphic-git needs. Arguments, options, results and error codes are those of Node;
 * docs/node-fs.md lists every difference.
 */
export interface NodeFsPromises {
  readFile(path: NodePath, options?: NodeEncoding | { readonly flag?: string; readonly signal?: AbortSignal }): Promise<Uint8Array | string>
  writeFile(path: NodePath, data: NodeData, options?: string | NodeWriteOptions | null): Promise<void>
  appendFile(path: NodePath, data: NodeData, options?: string | NodeWriteOptions | null): Promise<void>
  /** With `recursive`, resolves to the first created directory. */
  mkdir(path: NodePath, options?: (Recursive & { readonly mode?: number | string }) | number | string | null): Promise<string | undefined>
  rmdir(path: NodePath): Promise<void>
  unlink(path: NodePath): Promise<void>
  rm(
    path: NodePath,
    options?: Recursive & { readonly force?: boolean; readonly maxRetries?: number; readonly retryDelay?: number },
  ): Promise<void>
  stat(path: NodePath, options?: { readonly bigint?: false }): Promise<NodeStats>
  lstat(path: NodePath, options?: { readonly bigint?: false }): Promise<NodeStats>
  readdir(
    path: NodePath,
    options?: NodeEncoding | (Recursive & { readonly withFileTypes?: boolean; readonly encoding?: string | null }),
  ): Promise<(string | Uint8Array | NodeDirent)[]>
  readlink(path: NodePath, options?: NodeEncoding): Promise<string | Uint8Array>
  symlink(target: NodePath, path: NodePath, type?: 'dir' | 'file' | 'junction' | null): Promise<void>
  rename(from: NodePath, to: NodePath): Promise<void>
  /** `mode`: 1 (`COPYFILE_EXCL`) fails if the destination exists; 2 (`COPYFILE_FICLONE`) has no effect here. */
  copyFile(from: NodePath, to: NodePath, mode?: number): Promise<void>
  /** `mode`: 4 checks reading, 2 writing, 1 execution, against the stored permission bits; 0 (default) checks only existence. */
  access(path: NodePath, mode?: number | null): Promise<void>
  realpath(path: NodePath, options?: NodeEncoding): Promise<string | Uint8Array>
  chmod(path: NodePath, mode: number | string): Promise<void>
  /** Sets the modification time only: no storage keeps the access time. */
  utimes(path: NodePath, atime: number | string | Date, mtime: number | string | Date): Promise<void>
}

const [EXECUTE, WRITE] = [1, 2]
const [EXCLUSIVE, FORCE_CLONE] = [1, 4]

/**
 * Presents a workspace as an object with the interface of Node's `fs`, for libraries that take one. It uses the same locks, quotas and
 * policy as the tools. Relative paths start at `workspace.cwd`. `promises` is an own enumerable property, because isomorphic-git looks for
 * one.
 */
export function toNodeFs(workspace: Workspace): { readonly promises: NodeFsPromises } {
  required('toNodeFs', 'a Workspace', workspace, 'resolve')
  const routes = new Routes([{ folder: workspace.root, workspace }], workspace.cwd)
  const run = <T>(op: string, input: unknown, body: (path: string) => Promise<T>, name?: string): Promise<T> => {
    const given = pathArg(input, name)
    return withErrno(op, routes.absolute(given), async () => body(await routes.located(given, op)))
  }
  const change = <T>(op: string, input: unknown, body: (workspace: Workspace, path: string) => Promise<T>, name?: string): Promise<T> =>
    run(op, input, async (path) => body(routes.at(path, op, 'write'), path), name)

  const write = async (input: unknown, data: unknown, options: unknown, flag: string): Promise<void> => {
    const { encoding, signal, flush } = optionsArg<NodeWriteOptions>(options)
    await change('write', input, async (at, path) => {
      const isFlushed = booleanArg(flush, 'options.flush')
      const { write, mode } = writeOptionsOf(options, path, flag)
      checkSignal(signal)
      const bytes = await dataArg(path, data, encoding)
      checkSignal(signal)
      const { created } = await at.writeBytes(path, bytes, write).catch((error: unknown) => {
        throw write.mode === 'create' && hasCode(error, 'EISDIR') ? new FsError({ code: 'EEXIST', op: 'write', path }) : error
      })
      if (created && mode !== undefined && at.fs.can.mode) await at.setMeta(path, { mode })
      if (isFlushed) await at.flush()
    })
  }

  /** Returns the topmost missing directory on a path. Undefined: the directory exists. */
  const firstMissing = async (path: string): Promise<string | undefined> => {
    let missing: string | undefined
    for (let at = path; !(await routes.statIfAny(at, true)); at = parentPath(at)) {
      // A dangling link is in the way: `mkdir` does not create the link's target.
      if (await routes.statIfAny(at, false)) throw new FsError({ code: 'ENOENT', op: 'make directory', path })
      missing = at
    }
    return missing
  }
  const modes = async (at: Workspace, first: string, last: string, mode: number): Promise<void> => {
    if (at.fs.can.mode)
      for (let path = last; ; path = parentPath(path)) {
        await at.setMeta(path, { mode })
        if (path === first) return
      }
  }

  const list = async (
    path: string,
    given: string,
    isDeep: boolean,
  ): Promise<{ name: string; below: string; parentPath: string; kind: 'file' | 'dir' | 'symlink' }[]> => {
    const found = (await routes.list(path)).map(({ name, kind }) => ({ name, kind, below: name, parentPath: given }))
    if (!isDeep) return found
    const deeper = found.filter(({ kind }) => kind === 'dir')
    const all = await Promise.all(
      deeper.map(({ name }) =>
        list(join(path, name), join(given, name), true).then((entries) =>
          entries.map((entry) => ({ ...entry, below: join(name, entry.below) })),
        ),
      ),
    )
    return [...found, ...all.flat()]
  }

  const describe = (op: 'stat', input: unknown, options: unknown, follow: boolean): Promise<NodeStats> => {
    const { bigint } = (options ?? {}) as { readonly bigint?: unknown }
    return run(op, input, async (path) => {
      if (bigint) throw new FsError({ code: 'ENOTSUP', op, path, detail: '"bigint" is not supported: omit it' })
      return toStats(path, await routes.stat(path, follow))
    })
  }

  const promises: NodeFsPromises = {
    readFile: async (input, options) => {
      const { encoding, flag, signal } = optionsArg<{ flag: unknown; signal: unknown }>(options)
      const known = encodingOf(encoding)
      checkSignal(signal)
      return run('read', input, async (path) => {
        checkReadFlag(flag, path)
        const { bytes } = await routes.at(path, 'read', 'read').readBytes(path)
        checkSignal(signal)
        return known === undefined ? bytes : decode(bytes, known)
      })
    },
    writeFile: (input, data, options) => write(input, data, options, 'w'),
    appendFile: (input, data, options) => write(input, data, options, 'a'),
    mkdir: async (input, options) => {
      const op = 'make directory'
      const given: { recursive?: unknown; mode?: unknown } =
        typeof options === 'number' || typeof options === 'string' ? { mode: options } : typeof options === 'object' ? (options ?? {}) : {}
      const recursive = booleanArg(given.recursive, 'options.recursive')
      const mode = given.mode === undefined || given.mode === null ? undefined : madeMode(modeArg(given.mode))
      return run(op, input, async (path) => {
        if (routes.isAbove(path)) {
          if (recursive) return undefined
          throw new FsError({ code: 'EEXIST', op, path })
        }
        const at = routes.at(path, op, 'write')
        const first = recursive ? await firstMissing(path) : path
        await at.mkdir(path, { parents: recursive })
        if (first !== undefined && mode !== undefined) await modes(at, first, path, mode)
        return recursive ? first : undefined
      })
    },
    rmdir: async (input, ...options: unknown[]) => {
      if (removalArg(options[0]).recursive) throw wrongValue('options.recursive', true)
      return change('remove', input, async (at, path) => {
        if ((await at.lstat(path)).kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'remove', path })
        await at.remove(path)
      })
    },
    unlink: async (input) =>
      change('remove', input, async (at, path) => {
        if ((await at.lstat(path)).kind === 'dir') throw new FsError({ code: 'EISDIR', op: 'remove', path })
        await at.remove(path)
      }),
    rm: async (input, options) => {
      const { recursive, force } = removalArg(options)
      const isForced = booleanArg(force, 'options.force')
      try {
        await change('remove', input, async (at, path) => {
          const { kind } = await at.lstat(path)
          if (kind === 'dir' && !recursive) throw new FsError({ code: 'EISDIR', op: 'remove', path })
          await at.remove(path, { recursive })
        })
      } catch (error) {
        if (!isForced || !hasCode(error, 'ENOENT')) throw error
      }
    },
    stat: async (input, options) => describe('stat', input, options, true),
    lstat: async (input, options) => describe('stat', input, options, false),
    readdir: async (input, options) => {
      const { withFileTypes, recursive } = optionsArg<{ withFileTypes: unknown; recursive: unknown }>(options)
      return run('list', input, async (path) => {
        const entries = await list(path, pathArg(input), Boolean(recursive))
        return entries.map(({ name, below, parentPath, kind }) =>
          withFileTypes ? { name: named(name, options), parentPath, path: parentPath, ...kindMethods(kind) } : named(below, options),
        )
      })
    },
    readlink: async (input, options) =>
      run('read link', input, async (path) => named(await routes.at(path, 'read link', 'read').readlink(path), options)),
    symlink: async (target, input, type) => {
      const to = pathArg(target, 'target')
      if (typeof type === 'string' && !['dir', 'file', 'junction'].includes(type))
        throw wrongValue('type', type, 'ERR_FS_INVALID_SYMLINK_TYPE')
      return change('make link', input, async (at, path) => {
        if (to === '') throw new FsError({ code: 'ENOENT', op: 'make link', path, detail: 'the target is empty' })
        await at.symlink(to, path)
      })
    },
    rename: async (from, to) => {
      const dest = pathArg(to, 'newPath')
      return change(
        'move',
        from,
        async (at, path) => {
          const target = await routes.located(dest, 'move')
          if (dest.endsWith('/') && (await at.lstat(path)).kind !== 'dir') throw new FsError({ code: 'ENOTDIR', op: 'move', path, dest })
          routes.at(target, 'move', 'write')
          await at.move(path, target, { overwrite: true, parents: false })
        },
        'oldPath',
      )
    },
    copyFile: async (from, to, given) => {
      const dest = pathArg(to, 'dest')
      const mode = integerArg(given ?? 0, 'mode', 7)
      return run(
        'copy',
        from,
        async (path) => {
          const fail = (code: 'EISDIR' | 'ENOTSUP'): FsError => new FsError({ code, op: 'copy', path, dest })
          const source = await routes.at(path, 'copy', 'read').realpath(path)
          const at = routes.at(await routes.located(dest, 'write'), 'copy', 'write')
          if ((await at.stat(source)).kind === 'dir') throw fail('EISDIR')
          if (mode & FORCE_CLONE) throw fail('ENOTSUP')
          await copyOver(at, source, routes.absolute(dest), (mode & EXCLUSIVE) !== 0)
        },
        'src',
      )
    },
    access: async (input, given) => {
      const mode = integerArg(given ?? 0, 'mode', 7)
      return run('access', input, async (path) => {
        const { kind, mode: bits } = await routes.stat(path, true)
        if (mode & WRITE && workspace.readOnly) throw new FsError({ code: 'EROFS', op: 'access', path })
        const isRefused = [WRITE, EXECUTE].some(
          (bit) => mode & bit && !((bits ?? (kind === 'file' && bit === EXECUTE ? 0 : 0o777)) & (bit * 0o111)),
        )
        if (isRefused) throw new FsError({ code: 'EACCES', op: 'access', path })
      })
    },
    realpath: async (input, options) =>
      run('resolve', input, async (path) => {
        await routes.stat(path, true)
        return named(routes.isAbove(path) ? path : await workspace.realpath(path), options)
      }),
    chmod: async (input, mode) => {
      const bits = modeArg(mode) & 0o7777
      return change('change the mode of', input, (at, path) => at.setMeta(path, { mode: bits }))
    },
    utimes: async (input, atime, mtime) => {
      timeArg(atime, 'atime')
      const mtimeMs = timeArg(mtime, 'mtime')
      return change('change the time of', input, (at, path) => at.setMeta(path, { mtimeMs }))
    },
  }
  return { promises }
}

/** Copies a file. If the destination is a link, even a dangling one, writes to the link's target. */
async function copyOver(at: Workspace, source: string, dest: string, exclusive: boolean): Promise<void> {
  const pair = { overwrite: !exclusive, parents: false }
  const there = await at.lstat(dest).catch(ignoreCodes('ENOENT'))
  if (there?.kind !== 'symlink' || exclusive) {
    if (source !== dest) await at.copy(source, dest, pair)
    else if (exclusive) throw new FsError({ code: 'EEXIST', op: 'copy', path: source, dest })
    return
  }
  const target = await at.realpath(dest).catch(ignoreCodes('ENOENT'))
  if (target === undefined) await at.writeBytes(dest, (await at.readBytes(source)).bytes, { parents: false })
  else if (target !== source) await at.copy(source, target, pair)
}

const join = (folder: string, name: string): string => (folder.endsWith('/') ? folder : `${folder}/`) + name
