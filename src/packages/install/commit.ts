import { hasCode, ignoreCodes } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath } from '../../workspace/paths.js'
import type { PackageEntry } from './entry.js'
import { HIDDEN_LOCK, type Plan } from './plan.js'
import { makeStaging, noteArrivals, removeLeftovers, writePackage } from './staging.js'
import { swap } from './swap.js'
import type { TreeNode } from './tree.js'
import { createUndo, type Undo } from './undo.js'
import type { Unpacked } from './unpack.js'

export interface CommitOptions {
  readonly folder: string
  readonly plan: Plan
  readonly unpacked: ReadonlyMap<TreeNode, Unpacked>
  /** Packages in node_modules before the install. */
  readonly before: ReadonlyMap<string, PackageEntry>
  /** Other files to write, relative to the project. Written in order after the packages. */
  readonly texts: readonly { readonly path: string; readonly text: string; readonly bom?: boolean }[]
  readonly signal: AbortSignal
  readonly onFile: (name: string) => void
}

/**
 * Applies an install, or nothing: writes packages into a staging directory inside node_modules, renames them into place, and writes `texts`
 * last. On a failure, restores everything. Removes npm's list in node_modules before the renames, so that after a crash the next install
 * does not trust the content of node_modules.
 */
export async function commit(workspace: Workspace, options: CommitOptions): Promise<void> {
  const undo = createUndo()
  try {
    const staging = await change(workspace, options, undo)
    // The next install removes any leftovers.
    if (staging !== undefined) await workspace.remove(staging, { recursive: true }).catch(() => undefined)
  } catch (error) {
    throw await undo.run(error)
  }
  await workspace.flush()
}

async function change(workspace: Workspace, options: CommitOptions, undo: Undo): Promise<string | undefined> {
  const { folder, plan, before, texts, signal } = options
  const modules = joinPath(folder, 'node_modules')
  let staging: string | undefined
  if (await isFolder(workspace, modules)) await removeLeftovers(workspace, modules)
  if (plan.fresh.length > 0 || plan.gone.size > 0) {
    const { created } = await workspace.mkdir(modules)
    if (created) undo.did(() => workspace.remove(modules))
    staging = await makeStaging(workspace, modules)
    const made = staging
    undo.did(() => workspace.remove(made, { recursive: true }))
    const fresh = await stage(workspace, staging, options)
    await noteArrivals(workspace, staging, fresh.keys())
    signal.throwIfAborted()
    // The next steps are fast, so they ignore the signal.
    await removeText(workspace, joinPath(folder, HIDDEN_LOCK), undo)
    await swap(workspace, { folder, staging, fresh, gone: plan.gone.keys(), kept: plan.kept.map(({ path }) => path), undo })
    const now = new Map([...plan.kept, ...plan.fresh].map(({ path, entry }) => [path, entry]))
    await linkBins(workspace, folder, binLinks(before), binLinks(now), undo)
  }
  signal.throwIfAborted()
  for (const { path, text, bom = false } of texts) await writeText(workspace, joinPath(folder, path), text, bom, undo)
  return staging
}

async function isFolder(workspace: Workspace, path: string): Promise<boolean> {
  return (await workspace.exists(path)) && (await workspace.lstat(path)).kind === 'dir'
}

async function stage(
  workspace: Workspace,
  staging: string,
  { plan, unpacked, signal, onFile }: CommitOptions,
): Promise<Map<string, string>> {
  const fresh = new Map<string, string>()
  for (const [index, node] of plan.fresh.entries()) {
    const folder = joinPath(staging, `new-${index}`)
    const bins = new Set(Object.values(node.entry.bin ?? {}))
    await writePackage(workspace, folder, unpacked.get(node) as Unpacked, bins, signal, () => onFile(node.name))
    fresh.set(node.path, folder)
  }
  return fresh
}

async function removeText(workspace: Workspace, path: string, undo: Undo): Promise<void> {
  const before = await bytesOf(workspace, path)
  if (!before) return
  await workspace.remove(path)
  undo.did(() => workspace.writeBytes(path, before))
}

async function writeText(workspace: Workspace, path: string, text: string, bom: boolean, undo: Undo): Promise<void> {
  const before = await bytesOf(workspace, path)
  // Record the undo step before the write, because the storage may fail in the middle of a file.
  undo.did(before ? () => workspace.writeBytes(path, before) : () => removeIfThere(workspace, path))
  await workspace.writeText(path, text, { bom })
}

async function bytesOf(workspace: Workspace, path: string): Promise<Uint8Array | undefined> {
  return (await workspace.readBytes(path).catch(ignoreCodes('ENOENT')))?.bytes
}

async function removeIfThere(workspace: Workspace, path: string): Promise<void> {
  await workspace.remove(path).catch(ignoreCodes('ENOENT'))
}

/** Returns the targets of links by link, both relative to the project: `node_modules/.bin/nanoid` has `../nanoid/bin/nanoid.js`. */
function binLinks(packages: ReadonlyMap<string, PackageEntry>): Map<string, string> {
  const links = new Map<string, string>()
  for (const [path, { bin = {} }] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const at = path.lastIndexOf('node_modules/') + 'node_modules/'.length
    for (const [command, file] of Object.entries(bin)) {
      const link = `${path.slice(0, at)}.bin/${command}`
      if (!links.has(link)) links.set(link, `../${path.slice(at)}/${file}`)
    }
  }
  return links
}

/** Creates the wanted links and removes links that only the previous packages needed. Other links stay. */
async function linkBins(
  workspace: Workspace,
  folder: string,
  before: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
  undo: Undo,
): Promise<void> {
  if (!workspace.fs.symlink) return
  for (const [link, target] of before) {
    const path = joinPath(folder, link)
    if (wanted.get(link) !== target && (await linkTarget(workspace, path)) === target) await unlink(workspace, path, target, undo)
  }
  for (const [link, target] of wanted) {
    const path = joinPath(folder, link)
    const current = await linkTarget(workspace, path)
    if (current === target || current === 'taken') continue
    if (current !== undefined) await unlink(workspace, path, current, undo)
    const { created } = await workspace.mkdir(parentPath(path))
    if (created) undo.did(() => workspace.remove(parentPath(path)))
    await workspace.symlink(target, path)
    undo.did(() => workspace.remove(path))
  }
}

async function unlink(workspace: Workspace, path: string, target: string, undo: Undo): Promise<void> {
  await workspace.remove(path)
  undo.did(() => workspace.symlink(target, path))
}

/** Returns the target of a link; undefined if there is no entry. `taken` if the path is an entry other than a link. */
async function linkTarget(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return (await workspace.lstat(path)).kind === 'symlink' ? await workspace.readlink(path) : 'taken'
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
