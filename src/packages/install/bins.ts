import { hasCode } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { joinPath, parentPath } from '../../workspace/paths.js'
import type { PackageEntry } from './entry.js'
import type { Undo } from './undo.js'

/** Link -> where it leads, both relative to the project: `node_modules/.bin/nanoid` -> `../nanoid/bin/nanoid.js`. */
export function binLinks(packages: ReadonlyMap<string, PackageEntry>): Map<string, string> {
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

/** Makes the links that are wanted, and removes those that only the packages before wanted. Others stay. */
export async function linkBins(
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

/** `taken`: something is there that is no link. */
async function linkTarget(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return (await workspace.lstat(path)).kind === 'symlink' ? await workspace.readlink(path) : 'taken'
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
