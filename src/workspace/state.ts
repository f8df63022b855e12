import { lazy } from '../core/lazy.js'
import type { CheckpointLimits } from '../types/checkpoint.js'
import type { FsStat } from '../types/fs.js'
import type { Host } from '../types/host.js'
import type { Workspace, WorkspaceScope } from '../types/workspace.js'
import type { Engine } from './checkpoints/engine.js'
import type { PathSyntax } from './parse-path.js'
import type { PathPolicy } from './path-policy.js'
import type { Quota } from './quota.js'
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
