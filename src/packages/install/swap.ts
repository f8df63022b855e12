import { hasCode } from '../../errors/index.js'
import type { Workspace } from '../../types/workspace.js'
import { isThere } from '../../workspace/is-there.js'
import { isWithin, joinPath, parentPath } from '../../workspace/paths.js'
import type { Undo } from './undo.js'

export interface SwapOptions {
  /** Directory of the project. */
  readonly folder: string
  readonly staging: string
  /** The directory in staging of each new package, by the package's path. */
  readonly fresh: ReadonlyMap<string, string>
  /** Paths of packages to remove. */
  readonly gone: Iterable<string>
  /** Paths of unchanged packages. */
  readonly kept: Iterable<string>
  readonly undo: Undo
}

/**
 * Replaces old packages by new ones. Uses only renames, and moves old packages into staging. An unchanged package that is nested inside a
 * replaced one is moved out first, and into the new package afterwards.
 */
export async function swap(workspace: Workspace, { folder, staging, fresh, gone, kept, undo }: SwapOptions): Promise<void> {
  const going = new Set([...fresh.keys(), ...gone])
  const rescued = [...kept].filter((path) => ancestors(path).some((above) => going.has(above)))
  const arriving = new Map(fresh)
  const old = joinPath(staging, 'old')
  await workspace.mkdir(old, { parents: false })
  const move = async (from: string, to: string): Promise<void> => {
    await workspace.move(from, to, { parents: false })
    undo.did(() => workspace.move(to, from, { parents: false }))
  }
  let count = 0
  // Deepest first: nested packages move before their parents.
  for (const path of byDepth([...going, ...rescued]).reverse()) {
    const from = joinPath(folder, path)
    if (!(await isThere(workspace, from))) continue
    const to = joinPath(old, String(count++))
    await move(from, to)
    if (rescued.includes(path)) arriving.set(path, to)
  }
  for (const path of byDepth([...arriving.keys()])) {
    const to = joinPath(folder, path)
    await makeParents(workspace, parentPath(to), folder, undo)
    await move(arriving.get(path) as string, to)
  }
  await removeEmptied(
    workspace,
    folder,
    [...going].filter((path) => !arriving.has(path)),
    undo,
  )
}

const byDepth = (paths: readonly string[]): string[] => paths.toSorted((a, b) => a.split('/').length - b.split('/').length)

/** Returns the paths of the packages that contain a package. */
function ancestors(path: string): string[] {
  const all: string[] = []
  for (let at = path.lastIndexOf('/node_modules/'); at > 0; at = path.lastIndexOf('/node_modules/', at - 1)) all.push(path.slice(0, at))
  return all
}

async function makeParents(workspace: Workspace, path: string, folder: string, undo: Undo): Promise<void> {
  if (path === folder || (await isThere(workspace, path))) return
  await makeParents(workspace, parentPath(path), folder, undo)
  await workspace.mkdir(path, { parents: false })
  undo.did(() => workspace.remove(path))
}

/** Removes empty scope directories and empty node_modules directories of packages. */
async function removeEmptied(workspace: Workspace, folder: string, gone: readonly string[], undo: Undo): Promise<void> {
  const top = joinPath(folder, 'node_modules')
  for (const path of byDepth(gone).reverse()) {
    for (let at = parentPath(joinPath(folder, path)); at !== top && isWithin(at, top); at = parentPath(at)) {
      if (!/(^|\/)(node_modules|@[^/]+)$/.test(at) || !(await removeIfEmpty(workspace, at))) break
      const made = at
      undo.did(() => workspace.mkdir(made, { parents: false }))
    }
  }
}

async function removeIfEmpty(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.remove(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
