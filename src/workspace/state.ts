import { lazy } from '../core/lazy.js'
import { FsError } from '../errors/index.js'
import type { CheckpointLimits } from '../types/checkpoint.js'
import type { FsStat } from '../types/fs.js'
import type { Host } from '../types/host.js'
import type { Access, Workspace, WorkspaceScope } from '../types/workspace.js'
import type { Engine } from './checkpoints/engine.js'
import { type ParsedPath, type PathSyntax, parsePath, refusalOf } from './parse-path.js'
import type { PathPolicy } from './path-policy.js'
import { parentPath } from './paths.js'
import type { Quota } from './quota.js'
import { type Resolved, resolveLinks } from './resolve-links.js'
import type { Listed, OtherSpelling } from './spelling.js'
import type { StorageLocks } from './storage-locks.js'
import type { VirtualFs } from './virtual-fs.js'

/** The error detail for an `FsOther`. */
export const IS_OTHER = 'it is a FIFO, a socket or a device'

type Contents = typeof import('./known-contents.js')
/** Contents to record once `known-contents.js` has loaded. */
const waiting: Parameters<Contents['noteContent']>[] = []
/** Loads `known-contents.js` when the first version is recorded. */
export const contents: () => Contents | Promise<Contents> = lazy(() => import('./known-contents.js').then(noteWaiting))

function noteWaiting(loaded: Contents): Contents {
  for (const given of waiting.splice(0)) loaded.noteContent(...given)
  return loaded
}

/** Shared by all views of one workspace. */
export interface Tree {
  readonly fs: VirtualFs
  readonly host: Host
  readonly rules: PathSyntax
  readonly policy: PathPolicy
  readonly locks: StorageLocks
  readonly quota: Quota
  readonly maxSymlinks: number
  /** The checkpoint engine of the storage, loaded on first use. */
  readonly checkpoints: () => Promise<Engine>
  readonly checkpointLimits: Required<CheckpointLimits>
}

/** One view of a workspace: its tree, the approvals of the current call, and the locks that the call holds. */
export interface View {
  readonly tree: Tree
  readonly scope: WorkspaceScope
  readonly held: ReadonlySet<string>
}

/** The view behind each workspace. This map is in a separate file so that its users do not load the workspace implementation. */
export const views: WeakMap<Workspace, View> = new WeakMap()

/** The state of a workspace. @throws {TypeError} for an object that `createWorkspace` did not create */
export function viewOf(workspace: Workspace): View {
  const view = views.get(workspace)
  if (!view) throw new TypeError('Expected a workspace that createWorkspace has made')
  return view
}

export interface Located extends Resolved {
  readonly parsed: ParsedPath
}

export type Existing = Located & { readonly stat: FsStat }

/** Resolves an input path to its entry and checks the policy. `op` is the verb for error messages. */
export async function locate(view: View, input: string, access: Access, op: string, follow = true): Promise<Located> {
  const found = await resolveParsed(view, parsePath(input, view.tree.rules), access, op, follow)
  if (view.tree.policy.hasRules) await allow(view, found, access, op)
  return checkDirectory(found, op)
}

export async function resolveParsed(view: View, parsed: ParsedPath, access: Access, op: string, follow: boolean): Promise<Located> {
  const { tree } = view
  if (access === 'write' && tree.policy.readOnly) throw new FsError({ code: 'EROFS', op, path: parsed.path })
  // With a trailing slash, reads follow the link. Writes do not: removing `link/` must not empty the link's target.
  const through = follow || (parsed.directory && access === 'read')
  try {
    const resolved = await resolveLinks(tree.fs, parsed.path, { follow: through, maxSymlinks: tree.maxSymlinks })
    if (access === 'write') tree.fs.refuseReserved(resolved.path, op)
    return { parsed, path: resolved.path, stat: resolved.stat }
  } catch (error) {
    throw FsError.is(error) && error.op === 'stat' ? attempted(error, op) : error
  }
}

/** Returns the error with the requested operation instead of `stat`, which is only the first step of that operation. */
function attempted({ code, path, detail, cause }: FsError, op: string): FsError {
  return new FsError({ code, op, path, ...(detail !== undefined && { detail }), cause })
}

/** @throws {FsError} EACCES; {PolicyError} `approval_required` */
export async function allow({ tree, scope }: View, { path }: Located, access: Access, op: string): Promise<void> {
  if (tree.policy.hasRules) await tree.policy.check(access, path, op, scope)
}

/** @throws {FsError} ENOTDIR for a file that was named as a directory */
export function checkDirectory(found: Located, op: string): Located {
  const { parsed, stat } = found
  if (!parsed.directory || !stat || stat.kind === 'dir') return found
  const detail = `it is a ${stat.kind}. Write the path without a slash at the end`
  throw new FsError({ code: 'ENOTDIR', op, path: parsed.path, detail })
}

/** As `locate`, for an entry that must exist. @throws {FsError} ENOENT */
export async function locateExisting(view: View, input: string, access: Access, op: string, follow = true): Promise<Existing> {
  const found = await locate(view, input, access, op, follow)
  if (!found.stat) throw await missing(view.tree.fs, found.path, op)
  return found as Existing
}

/** Returns the version of an entry. If the storage has no versions, combines the size and the modification time. */
export function versionOf(stat: FsStat): string {
  return stat.version ?? `${stat.size}-${stat.mtimeMs}`
}

/** Returns `version`, and records the content that belongs to it. */
export function notedVersion({ fs }: Tree, path: string, version: string, bytes: Uint8Array): string {
  const loaded = contents()
  if (!(loaded instanceof Promise)) loaded.noteContent(fs.adapter, path, version, bytes)
  else {
    waiting.push([fs.adapter, path, version, bytes])
    // If the module cannot be loaded, only versions are compared, not contents.
    loaded.catch(() => waiting.splice(0))
  }
  return version
}

const spelling = lazy(() => import('./spelling.js'))

/** Creates the error for a missing path. Only searches and listings, which are rare, also look for the name in another case. */
export async function missing(fs: VirtualFs, path: string, op: string): Promise<FsError> {
  const isTwice = fs.root !== '/' && `${path}/`.startsWith(`${fs.root}${fs.root}/`)
  const rooted = isTwice ? await (await spelling()).rootedOnce(usable(fs), path) : undefined
  const twin = rooted ?? (await twinOf(fs, path, op === 'search' || op === 'list'))
  return new FsError({ code: 'ENOENT', op, path, ...(twin && { detail: twin.missed }) })
}

/**
 * Rejects a path whose name looks the same as an existing one. `from` is the source of a move or copy: a move may change only the spelling.
 *
 * @throws {FsError} EEXIST instead of creating a second file with a name that looks the same
 */
export async function refuseTwin(fs: VirtualFs, path: string, op: string, from?: string): Promise<void> {
  const twin = await twinOf(fs, path)
  if (!twin || (op === 'move' && twin.path === from && parentPath(from) === parentPath(path))) return
  throw new FsError({ code: 'EEXIST', op, path: from ?? path, ...(from !== undefined && { dest: path }), detail: twin.refused })
}

async function twinOf(fs: VirtualFs, path: string, anyCase = false): Promise<OtherSpelling | undefined> {
  if (!anyCase && /^[\0-\x7f]*$/.test(path)) return undefined
  return (await spelling()).otherSpelling(usable(fs), path, anyCase)
}

/** Returns a directory reader that leaves out names that are not valid in a path. */
const usable = (fs: VirtualFs): Listed => ({
  root: fs.root,
  readdir: async (folder) => (await fs.readdir(folder)).filter(({ name }) => !refusalOf(folder, name)),
})
