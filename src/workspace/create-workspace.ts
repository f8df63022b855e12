import { lazy } from '../core/lazy.js'
import { FsError, WorkspaceError } from '../errors/index.js'
import { required } from '../errors/required.js'
import { systemHost } from '../host.js'
import { decodeUtf8 } from '../ops/utf8.js'
import type { Checkpoint, CheckpointLimits, CheckpointOptions, Restored, RestoreOptions, TreeDiff } from '../types/checkpoint.js'
import type { FileKind, FsAdapter, FsEntry, FsStat, FsUsage } from '../types/fs.js'
import type { Host } from '../types/host.js'
import type {
  BytesFile,
  Moved,
  PairOptions,
  ReadTextOptions,
  TextFile,
  WalkEntry,
  WalkOptions,
  Workspace,
  WorkspaceOptions,
  WorkspaceScope,
  WriteFileOptions,
  Written,
} from '../types/workspace.js'
import type { Engine } from './checkpoints/engine.js'
import { engineOf, recorderOf } from './checkpoints/engine-of.js'
import { acquireResolved } from './locking.js'
import { mountedFs } from './mounts/mounted-fs.js'
import { parseMounts } from './mounts/parse-mounts.js'
import { parsePath, refusalOf } from './parse-path.js'
import { PathPolicy } from './path-policy.js'
import { isWithin, normalise, relativePath } from './paths.js'
import { Quota } from './quota.js'
import { locate, locateExisting, type Tree, type View, views } from './state.js'
import { StorageLocks } from './storage-locks.js'
import { VirtualFs } from './virtual-fs.js'

const DEFAULT_ROOT = '/workspace'
const DEFAULT_KEEP = 100
const DEFAULT_CHECKPOINT_BYTES = 256 * 1024 * 1024

const reading = lazy(() => import('./reading.js'))
const treeOps = lazy(() => import('./tree-ops.js'))
const writing = lazy(() => import('./writing.js'))
const walking = lazy(() => import('./walk.js'))
/** Loads on first use: most workspaces make no checkpoints. */
const checkpointing = lazy(() => import('./checkpoints/index.js'))

/**
 * Creates a workspace on one storage adapter, which it opens on first use.
 *
 * @throws {TypeError} for a root or cwd that is not an absolute normalised path, a cwd outside the root, or invalid limits
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  required('createWorkspace', 'the option "fs", an FsAdapter', options?.fs, 'readdir')
  const root = absolutePath('root', options.root ?? options.fs.suggestedRoot ?? DEFAULT_ROOT)
  const cwd = absolutePath('cwd', options.cwd ?? root)
  if (!isWithin(cwd, root)) throw new TypeError(`cwd "${cwd}" is outside the root "${root}"`)
  const storage = options.mounts ? mountedFs(options.fs, parseMounts(options.fs, options.mounts, root)) : options.fs
  const fs = new VirtualFs(storage, root, recorderOf(storage))
  const checkpoints = (): Promise<Engine> => engineOf(storage)
  const host = options.host ?? systemHost
  const tree: Tree = {
    fs,
    host,
    rules: { root, cwd, backslash: options.backslash ?? 'refuse' },
    policy: new PathPolicy(options.policy, root, storage.can.caseSensitive),
    locks: new StorageLocks(fs),
    quota: new Quota(options.quotas, () => countUsage(fs, host, checkpoints), storage.usage !== undefined),
    maxSymlinks: options.maxSymlinks ?? 40,
    checkpoints,
    checkpointLimits: limitsOf(options.checkpoints),
  }
  return new AdapterWorkspace({ tree, scope: {}, held: new Set() })
}

class AdapterWorkspace implements Workspace {
  readonly #view: View

  constructor(view: View) {
    this.#view = view
    views.set(this, view)
  }

  get fs(): FsAdapter {
    return this.#view.tree.fs.adapter
  }

  get host(): Host {
    return this.#view.tree.host
  }

  get root(): string {
    return this.#view.tree.rules.root
  }

  get cwd(): string {
    return this.#view.tree.rules.cwd
  }

  get readOnly(): boolean {
    return this.#view.tree.policy.readOnly
  }

  resolve(path: string): string {
    return parsePath(path, this.#view.tree.rules).path
  }

  relative(path: string): string {
    return relativePath(this.resolve(path), this.root)
  }

  async realpath(path: string, op = 'resolve'): Promise<string> {
    return (await locate(this.#view, path, 'read', op)).path
  }

  async stat(path: string, op = 'stat'): Promise<FsStat> {
    return (await locateExisting(this.#view, path, 'read', op)).stat
  }

  async lstat(path: string, op = 'stat'): Promise<FsStat> {
    return (await locateExisting(this.#view, path, 'read', op, false)).stat
  }

  async exists(path: string, op?: string): Promise<boolean> {
    return (await reading()).exists(this.#view, path, op)
  }

  async readlink(path: string): Promise<string> {
    const found = await locateExisting(this.#view, path, 'read', 'read link', false)
    return this.#view.tree.fs.readlink(found.path)
  }

  async list(path: string): Promise<FsEntry[]> {
    const found = await locateExisting(this.#view, path, 'read', 'list')
    if (found.stat.kind !== 'dir') throw isFile(found.path)
    const entries = await this.#view.tree.fs.readdir(found.path)
    return entries.filter((entry) => entry.kind !== 'other').sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async *walk(path: string, options: WalkOptions = {}): AsyncGenerator<readonly WalkEntry[]> {
    const { tree } = this.#view
    const found = await locateExisting(this.#view, path, 'read', 'list')
    if (found.stat.kind !== 'dir') throw isFile(found.path)
    const after = options.after === undefined ? undefined : cursorPath(options.after, found.path)
    const { walkTree } = await walking()
    yield* walkTree(tree.fs, tree.host, found.path, {
      ...options,
      ...(options.usable && { refusal: refusalOf }),
      ...(after !== undefined && { after }),
    })
  }

  async readBytes(path: string, options?: { readonly offset?: number; readonly length?: number }): Promise<BytesFile> {
    return (await reading()).readBytes(this.#view, path, options)
  }

  async readText(path: string, options?: ReadTextOptions): Promise<TextFile> {
    return (await reading()).readText(this.#view, path, options)
  }

  async writeBytes(path: string, bytes: Uint8Array, options?: WriteFileOptions): Promise<Written> {
    return (await writing()).writeBytes(this.#view, path, bytes, options)
  }

  async writeText(path: string, text: string, options?: WriteFileOptions): Promise<Written> {
    return (await writing()).writeText(this.#view, path, text, options)
  }

  async mkdir(path: string, options?: { readonly parents?: boolean }): Promise<{ readonly path: string; readonly created: boolean }> {
    return (await writing()).mkdir(this.#view, path, options?.parents ?? true)
  }

  async symlink(target: string, path: string): Promise<void> {
    return (await writing()).symlink(this.#view, target, path)
  }

  async setMeta(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void> {
    return (await writing()).setMeta(this.#view, path, meta)
  }

  async remove(path: string, options?: { readonly recursive?: boolean }): Promise<{ readonly path: string; readonly kind: FileKind }> {
    return (await treeOps()).remove(this.#view, path, options?.recursive ?? false)
  }

  async move(from: string, to: string, options: PairOptions = {}): Promise<Moved> {
    return (await treeOps()).move(this.#view, from, to, options)
  }

  async copy(from: string, to: string, options: PairOptions = {}): Promise<{ readonly from: string; readonly to: string }> {
    return (await treeOps()).copy(this.#view, from, to, options)
  }

  async files(): Promise<Record<string, string | Uint8Array>> {
    const { fs, host } = this.#view.tree
    const { walkTree } = await walking()
    const files: [string, string | Uint8Array][] = []
    for await (const run of walkTree(fs, host, this.root, { ignore: false })) {
      for (const { path, kind } of run) {
        if (kind !== 'file') continue
        const bytes = await fs.read(path)
        files.push([relativePath(path, this.root), decodeUtf8(bytes) ?? bytes])
      }
    }
    return Object.fromEntries(files)
  }

  async checkpoint(options: CheckpointOptions = {}): Promise<Checkpoint> {
    return (await checkpointing()).makeCheckpoint(this.#view, options)
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return (await checkpointing()).listCheckpoints(this.#view)
  }

  async diff(from: string, to = 'now'): Promise<TreeDiff> {
    return (await checkpointing()).diffCheckpoints(this.#view, from, to)
  }

  async restore(id: string, options: RestoreOptions = {}): Promise<Restored> {
    return (await checkpointing()).restoreCheckpoint(this.#view, id, options)
  }

  async locked<T>(paths: readonly string[], body: (workspace: Workspace) => Promise<T>): Promise<T> {
    const { held, release } = await acquireResolved(this.#view, paths)
    try {
      return await body(new AdapterWorkspace({ ...this.#view, held: new Set([...this.#view.held, ...held]) }))
    } finally {
      release()
    }
  }

  scope(scope: WorkspaceScope): Workspace {
    return new AdapterWorkspace({ ...this.#view, scope })
  }

  flush(): Promise<void> {
    return this.fs.flush()
  }

  close(): Promise<void> {
    return this.fs.close()
  }
}

function isFile(path: string): FsError {
  return new FsError({ code: 'ENOTDIR', op: 'list', path, detail: 'it is a file. Name the directory that holds it, or read the file' })
}

/**
 * Checks a cursor that a walk returned, and resolves `.` and `..` in it. Does not use `parsePath`, which may reject a name in the cursor.
 */
function cursorPath(after: string, start: string): string {
  const wrong = (): WorkspaceError =>
    new WorkspaceError('invalid_path', after, `Cannot continue after "${after}": it is not below "${start}"`)
  const path = after.startsWith('/') ? normalise(after, wrong) : after
  if (!isWithin(path, start)) throw wrong()
  return path
}

/** Measures the storage's usage without the files of checkpoints. */
async function countUsage(fs: VirtualFs, host: Host, checkpoints: () => Promise<Engine>): Promise<FsUsage> {
  const all = await fs.usage()
  if (!all) return countEntries(fs, host)
  if (fs.adapter.checkpoint) return all
  const engine = await checkpoints()
  for (let used = all, before: FsUsage | undefined; ; ) {
    const held = await engine.held()
    // `used` includes the checkpoints, so `held` must not have changed while `used` was measured.
    if (before?.bytes === held.bytes && before.files === held.files)
      return { bytes: used.bytes - held.bytes, files: used.files - held.files }
    before = held
    used = (await fs.usage()) ?? used
  }
}

async function countEntries(fs: VirtualFs, host: Host): Promise<FsUsage> {
  const { walkTree } = await walking()
  let bytes = 0
  let files = 0
  for await (const run of walkTree(fs, host, fs.root, { ignore: false })) {
    for (const { path, kind, size } of run) {
      files++
      if (kind === 'file') bytes += size ?? (await fs.lstat(path)).size
    }
  }
  return { bytes, files }
}

function limitsOf({ keep = DEFAULT_KEEP, bytes = DEFAULT_CHECKPOINT_BYTES }: CheckpointLimits = {}): Required<CheckpointLimits> {
  if (!(keep >= 1)) throw new TypeError(`checkpoints.keep is ${keep}: at least 1 has to be kept`)
  if (!(bytes >= 0)) throw new TypeError(`checkpoints.bytes is ${bytes}: it must be 0 or more`)
  return { keep, bytes }
}

function absolutePath(what: string, path: string): string {
  // A function, because creating an error captures the stack.
  const wrong = (): TypeError => new TypeError(`${what} "${path}" must be an absolute path without ".." or a trailing slash`)
  if (!path.startsWith('/') || normalise(path, wrong) !== path) throw wrong()
  return path
}
