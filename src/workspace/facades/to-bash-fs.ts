import { FsError, hasCode, ignoreCodes } from '../../errors/index.js'
import { required } from '../../errors/required.js'
import type { FsAdapter, FsStat } from '../../types/fs.js'
import type { Workspace } from '../../types/workspace.js'
import { createWorkspace } from '../create-workspace.js'
import { isWithin, joinPath, parentPath } from '../paths.js'
import { freeName, withoutAside } from '../rename-into-place.js'
import { type NewEntry, replaceEntry } from '../replacing.js'
import { wrongKind } from '../tree-ops.js'
import { decode, type Encoding, encode, encodingNamed } from './encodings.js'
import { USUAL_MODE } from './node-stats.js'
import { type Route, Routes } from './routes.js'
import { withErrno } from './to-errno.js'

type TextEncodingName = 'utf8' | 'utf-8' | 'ascii' | 'binary' | 'base64' | 'hex' | 'latin1'
type EncodingOption = TextEncodingName | { readonly encoding?: TextEncodingName | null } | null | undefined

export interface BashStat {
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
  /** Permission bits, without the type bits. */
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  /**
   * An id that is equal for two paths of the same file, after links are resolved. `lstat` sets it only for directories. The shell's `cp`
   * and `mv` compare ids before they overwrite. Without ids, they overwrite nothing.
   */
  readonly identity?: string
}

export interface BashDirent {
  readonly name: string
  readonly isFile: boolean
  readonly isDirectory: boolean
  readonly isSymbolicLink: boolean
}

/**
 * The filesystem interface of just-bash (`IFileSystem`), declared here so that the package is not a dependency. The optional
 * `readFileBytes` is left out, because its type comes from the package; the shell then reads through `readFileBuffer`. `replace` is our
 * addition.
 */
export interface BashFs {
  readFile(path: string, options?: EncodingOption): Promise<string>
  readFileBuffer(path: string): Promise<Uint8Array>
  writeFile(path: string, content: string | Uint8Array, options?: EncodingOption): Promise<void>
  appendFile(path: string, content: string | Uint8Array, options?: EncodingOption): Promise<void>
  exists(path: string): Promise<boolean>
  stat(path: string): Promise<BashStat>
  lstat(path: string): Promise<BashStat>
  mkdir(path: string, options?: { readonly recursive?: boolean }): Promise<void>
  readdir(path: string): Promise<string[]>
  readdirWithFileTypes(path: string): Promise<BashDirent[]>
  rm(path: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  cp(from: string, to: string, options?: { readonly recursive?: boolean }): Promise<void>
  mv(from: string, to: string): Promise<void>
  /** Replaces a file or link with a new one, and never writes through a link. A failure leaves the old entry. */
  replace(path: string, entry: BashEntry): Promise<void>
  resolvePath(base: string, path: string): string
  /** Always empty: an asynchronous storage cannot list its paths synchronously. */
  getAllPaths(): string[]
  chmod(path: string, mode: number): Promise<void>
  symlink(target: string, path: string): Promise<void>
  link(from: string, to: string): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  utimes(path: string, atime: Date, mtime: Date): Promise<void>
}

/** A file with its content, or a link with its target. */
export type BashEntry = NewEntry

/** Options of `toBashFs`. */
export interface BashFsOptions {
  /** Storage for the shell's private directories, which tools never see. It holds no workspace files. */
  readonly scratch: FsAdapter
}

/** Directories that a shell expects and a workspace does not have. */
const PRIVATE = ['/tmp', '/home', '/bin', '/usr/bin', '/dev'] as const
/**
 * Private directories that are created before the first operation. The others are created with their first entry, because an empty
 * `/usr/bin` would hide all shell commands.
 */
const FURNISHED = ['/tmp', '/home', '/dev'] as const

/**
 * Presents a workspace as the filesystem of a virtual bash, with the same locks, quotas and policy as the tools. Errors carry a `code` and
 * a message prefix (`ENOENT: ...`). `scratch` holds the private directories `/tmp /home /bin /usr/bin /dev`.
 */
export function toBashFs(workspace: Workspace, options: BashFsOptions): BashFs {
  required('toBashFs', 'a Workspace', workspace, 'resolve')
  const storage = required(
    'toBashFs',
    'the option "scratch", a storage for its private folders, such as createMemoryFs()',
    options?.scratch,
    'readdir',
  )
  const scratch = createWorkspace({ fs: storage, root: '/', host: workspace.host })
  const routes = new Routes(
    [{ folder: workspace.root, workspace }, ...PRIVATE.map((folder): Route => ({ folder, workspace: scratch }))],
    workspace.cwd,
  )
  let furnished: Promise<unknown> | undefined
  const furnish = async (): Promise<void> => {
    try {
      await Promise.all(FURNISHED.map((folder) => scratch.mkdir(folder)))
    } catch (error) {
      // Try again with the next operation: a full storage may have room by then.
      furnished = undefined
      throw error
    }
  }
  const run = async <T>(op: string, input: string, body: (path: string) => Promise<T>): Promise<T> => {
    return withErrno(op, routes.absolute(input), async () => {
      furnished ??= furnish()
      await furnished
      return body(await routes.located(input, op))
    })
  }
  const change = <T>(op: string, input: string, body: (workspace: Workspace, path: string) => Promise<T>): Promise<T> =>
    run(op, input, async (path) => body(routes.at(path, op, 'write'), path))
  const bytesOf = (input: string): Promise<Uint8Array> =>
    run('read', input, async (path) => (await routes.at(path, 'read', 'read').readBytes(path)).bytes)
  const write = (input: string, content: string | Uint8Array, encoding: EncodingOption, mode: 'overwrite' | 'append'): Promise<void> =>
    change('write', input, async (at, path) => {
      await at.writeBytes(path, toBytes(content, encoding), { mode, parents: false })
    })
  const statOf = (input: string, follow: boolean): Promise<BashStat> =>
    run('stat', input, async (path) => {
      const stat = await routes.stat(path, follow)
      return { ...toBashStat(stat), ...((follow || stat.kind === 'dir') && { identity: await identityOf(path) }) }
    })
  const realpath = (path: string): string | Promise<string> =>
    routes.isAbove(path) ? path : routes.at(path, 'resolve', 'read').realpath(path)
  const identityOf = async (path: string): Promise<string> =>
    `${!routes.isAbove(path) && routes.at(path, 'stat', 'read') === scratch ? 'private' : 'shared'}:${await realpath(path)}`

  /** Copies to a temporary name next to the destination, then renames, so that a failure leaves the old entry in place. */
  const moveAcross = async (from: string, to: string, at: Workspace): Promise<void> => {
    const stat = await routes.stat(from, false)
    const there = await routes.statIfAny(to, false)
    if (there && (there.kind === 'dir') !== (stat.kind === 'dir')) throw wrongKind(from, to, stat.kind)
    if (there?.kind === 'dir' && (await routes.list(to)).length > 0)
      throw new FsError({ code: 'ENOTEMPTY', op: 'move', path: from, dest: to })
    if (stat.kind !== 'dir') {
      await replaceEntry(at, to, await entryAt(routes.at(from, 'move', 'read'), from, stat))
      return stat.kind === 'file' ? keepMeta(at, to, stat, true) : undefined
    }
    const beside = await freeName(parentPath(to), workspace.host, (path) => at.lstat(path))
    try {
      await copyBetween(routes, from, beside, { recursive: true, times: true })
      await at.move(beside, to, { overwrite: true, parents: false })
    } catch (error) {
      throw await withoutAside(error, beside, to, () => at.remove(beside, { recursive: true }))
    }
  }

  return {
    readFile: async (input, encoding) => decode(await bytesOf(input), encodingName(encoding)),
    readFileBuffer: bytesOf,
    writeFile: (input, content, encoding) => write(input, content, encoding, 'overwrite'),
    appendFile: (input, content, encoding) => write(input, content, encoding, 'append'),
    exists: (input) =>
      run('stat', input, (path) => routes.stat(path, true)).then(
        () => true,
        (error: unknown) => {
          // After EIO nobody knows whether the entry exists, and the caller may be about to write there. So fail.
          if (hasCode(error, 'EIO')) throw error
          return false
        },
      ),
    stat: (input) => statOf(input, true),
    lstat: (input) => statOf(input, false),
    mkdir: (input, { recursive = false } = {}) =>
      run('make directory', input, async (path) => {
        if (routes.isAbove(path)) {
          if (recursive) return
          throw new FsError({ code: 'EEXIST', op: 'make directory', path })
        }
        await routes.at(path, 'make directory', 'write').mkdir(path, { parents: recursive })
      }),
    readdir: (input) => run('list', input, async (path) => (await routes.list(path)).map(({ name }) => name)),
    readdirWithFileTypes: (input) =>
      run('list', input, async (path) => (await routes.list(path)).map(({ name, kind }) => ({ name, ...kindFlags(kind) }))),
    rm: (input, { recursive = false, force = false } = {}) =>
      change('remove', input, async (at, path) => {
        try {
          await at.remove(path, { recursive })
        } catch (error) {
          if (!force || !hasCode(error, 'ENOENT')) throw error
        }
      }),
    cp: (from, to, { recursive = false } = {}) =>
      change('copy', to, async (_, dest) => {
        const path = routes.absolute(from)
        if (recursive && (await routes.stat(path, false)).kind === 'dir' && isWithin(await identityOf(dest), await identityOf(path)))
          throw new FsError({ code: 'EINVAL', op: 'copy', path, dest, detail: 'the destination is inside it' })
        await copyBetween(routes, path, dest, { recursive })
      }),
    mv: (from, to) =>
      change('move', from, async (at, path) => {
        const dest = routes.absolute(to)
        if (routes.at(dest, 'move', 'write') === at) await at.move(path, dest, { overwrite: true, parents: false })
        else {
          await moveAcross(path, dest, routes.at(dest, 'move', 'write'))
          await at.remove(path, { recursive: true })
        }
      }),
    replace: (input, entry) => change('write', input, (at, path) => replaceEntry(at, path, entry)),
    // An empty path is invalid: each call fails with ENOENT.
    resolvePath: (base, path) => path && routes.absolute(path, base),
    getAllPaths: () => [],
    chmod: (input, mode) => change('change the mode of', input, (at, path) => at.setMeta(path, { mode: mode & 0o7777 })),
    symlink: (target, input) => change('make link', input, (at, path) => at.symlink(target, path)),
    link: (from, to) =>
      change('link', to, async (_, path) => {
        if (await routes.statIfAny(path, false)) throw new FsError({ code: 'EEXIST', op: 'link', path })
        await copyBetween(routes, routes.absolute(from), path, { times: true })
      }),
    readlink: (input) => run('read link', input, (path) => routes.at(path, 'read link', 'read').readlink(path)),
    realpath: (input) =>
      run('resolve', input, async (path) => {
        await routes.stat(path, true)
        return realpath(path)
      }),
    utimes: (input, _atime, mtime) => change('change the time of', input, (at, path) => at.setMeta(path, { mtimeMs: mtime.getTime() })),
  }
}

interface Copying {
  readonly recursive?: boolean
  /** Keep modification times, as a move does. */
  readonly times?: boolean
}

/**
 * Copies files as bytes, because source and destination may be in different storages (workspace and private directories). New entries get
 * the source's mode. An existing directory is merged into. With `recursive`, links are copied as links: following a link to its own
 * directory would never end.
 */
async function copyBetween(routes: Routes, from: string, to: string, { recursive = false, times = false }: Copying): Promise<void> {
  const stat = await routes.stat(from, !recursive)
  const dest = routes.at(to, 'copy', 'write')
  if (stat.kind === 'symlink') {
    const source = routes.at(from, 'copy', 'read')
    if (source === dest) await dest.copy(from, to, { overwrite: true, parents: false })
    else await replaceEntry(dest, to, await entryAt(source, from, stat))
    return
  }
  if (stat.kind === 'file') {
    const { bytes } = await routes.at(from, 'copy', 'read').readBytes(from)
    const { created } = await dest.writeBytes(to, bytes, { parents: false })
    if (created) await keepMeta(dest, to, stat, times)
    return
  }
  if (!recursive) throw new FsError({ code: 'EISDIR', op: 'copy', path: from, dest: to })
  const isNew = (await routes.statIfAny(to, true))?.kind !== 'dir'
  if (isNew) await dest.mkdir(to, { parents: false })
  for (const { name } of await routes.list(from)) await copyBetween(routes, joinPath(from, name), joinPath(to, name), { recursive, times })
  if (isNew) await keepMeta(dest, to, stat, times)
}

async function entryAt(at: Workspace, path: string, { kind }: FsStat): Promise<NewEntry> {
  return kind === 'symlink' ? { target: await at.readlink(path) } : { content: (await at.readBytes(path)).bytes }
}

/** Sets the mode, and with `times` the modification time, as far as the storage stores them. */
async function keepMeta(at: Workspace, path: string, { kind, mode, mtimeMs }: FsStat, times: boolean): Promise<void> {
  const isUsual = mode === undefined || mode === USUAL_MODE[kind] || !at.fs.can.mode
  const meta = { ...(!isUsual && { mode }), ...(times && mtimeMs !== 0 && { mtimeMs }) }
  if (!at.fs.setMeta || Object.keys(meta).length === 0) return
  await at.setMeta(path, meta).catch(ignoreCodes('ENOTSUP'))
}

function toBashStat({ kind, mode, size, mtimeMs }: FsStat): BashStat {
  return { ...kindFlags(kind), mode: mode ?? USUAL_MODE[kind], size, mtime: new Date(mtimeMs) }
}

function kindFlags(kind: FsStat['kind']): Omit<BashDirent, 'name'> {
  return { isFile: kind === 'file', isDirectory: kind === 'dir', isSymbolicLink: kind === 'symlink' }
}

function encodingName(option: EncodingOption): Encoding {
  return encodingNamed((typeof option === 'string' ? option : option?.encoding) ?? 'utf8') ?? 'utf8'
}

function toBytes(content: string | Uint8Array, option: EncodingOption): Uint8Array {
  return typeof content === 'string' ? encode(content, encodingName(option)) : content
}
