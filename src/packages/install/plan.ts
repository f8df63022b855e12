import { hasCode, InputError } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath } from '../../workspace/paths.js'
import type { PackageEntry } from './entry.js'
import { installError } from './faults.js'
import { type LockFile, readLockFile } from './lockfile.js'
import type { TreeNode } from './tree.js'

export const HIDDEN_LOCK = 'node_modules/.package-lock.json'
const NOTHING: LockFile = { packages: new Map(), bundled: new Map() }

/** Reads the packages in node_modules from npm's list there. If the list is damaged, all packages are reinstalled. */
export async function readInstalled(workspace: Workspace, folder: string): Promise<LockFile> {
  try {
    return await readLockFile(workspace, joinPath(folder, HIDDEN_LOCK))
  } catch (error) {
    if (error instanceof InputError) return NOTHING
    throw error
  }
}

/** Whether the list contains this package at this path. */
export function isListed({ packages }: LockFile, path: string, entry: PackageEntry): boolean {
  const before = packages.get(path)
  return before !== undefined && before.version === entry.version && before.name === entry.name && before.integrity === entry.integrity
}

export interface Plan {
  /** Packages to download and put in place. */
  readonly fresh: readonly TreeNode[]
  readonly kept: readonly TreeNode[]
  /** Packages to remove, by path. */
  readonly gone: ReadonlyMap<string, PackageEntry>
}

/**
 * Compares the wanted packages with the installed ones, including leftovers of an interrupted install.
 *
 * @throws {InputError} `name`, for two packages that the storage cannot distinguish
 */
export async function makePlan(
  workspace: Workspace,
  folder: string,
  wanted: ReadonlySet<TreeNode>,
  installed: LockFile,
  lock: LockFile,
  arrivals: readonly string[],
): Promise<Plan> {
  if (!workspace.fs.can.caseSensitive) refuseTwins(wanted)
  const fresh: TreeNode[] = []
  const kept: TreeNode[] = []
  for (const node of [...wanted].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const whole = isListed(installed, node.path, node.entry) && (await isFile(workspace, joinPath(folder, `${node.path}/package.json`)))
    ;(whole ? kept : fresh).push(node)
  }
  const paths = new Set([...wanted].map(({ path }) => path))
  const cutOff = arrivals.map((path): [string, PackageEntry] => [path, { version: '' }])
  const before = new Map([...cutOff, ...(installed.packages.size > 0 ? installed.packages : lock.packages)])
  const gone = new Map<string, PackageEntry>()
  for (const [path, entry] of before) {
    if (!paths.has(path) && (await isFile(workspace, joinPath(folder, `${path}/package.json`)))) gone.set(path, entry)
  }
  return { fresh, kept, gone }
}

export async function isFile(workspace: Workspace, path: string): Promise<boolean> {
  try {
    return (await workspace.lstat(path)).kind === 'file'
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return false
    throw error
  }
}

function refuseTwins(wanted: ReadonlySet<TreeNode>): void {
  const seen = new Map<string, string>()
  for (const { path, name } of wanted) {
    const folded = path.toLowerCase()
    const twin = seen.get(folded)
    if (twin !== undefined)
      throw installError('name', `Cannot install "${name}" beside "${twin}": this storage ignores upper and lower case`)
    seen.set(folded, name)
  }
}
