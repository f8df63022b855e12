import { FsError, hasCode, ignoreCodes } from '../../errors/index.js'
import type { Moved, Workspace } from '../../types/workspace.js'
import { isWithin } from '../../workspace/paths.js'
import { contents, versionOf } from '../../workspace/state.js'

/**
 * Moves an entry and updates the recorded versions of its files, because a storage may give a moved file a new version. A file that had
 * changed since it was read stays stale.
 */
export async function followMove(
  workspace: Workspace,
  versions: Map<string, string>,
  from: string,
  move: () => Promise<Moved>,
): Promise<Moved> {
  const folder = workspace.resolve(from)
  const known = [...versions].filter(([path]) => isWithin(path, folder))
  const current = new Map(await Promise.all(known.map(async ([path]) => [path, await currentVersion(workspace, path)] as const)))
  const moved = await move()
  if (moved.from === moved.to) return moved
  forgetVersions(versions, moved.from)
  forgetVersions(versions, moved.to)
  for (const [path, version] of known) {
    const to = moved.to + path.slice(folder.length)
    const fresh = current.get(path) === version ? await currentVersion(workspace, to) : version
    if (fresh !== undefined) versions.set(to, fresh)
  }
  return moved
}

/** @throws {FsError} ESTALE if a file that was just read has another content than the recorded one */
export async function refuseStale(
  workspace: Workspace,
  known: ReadonlyMap<string, string>,
  file: { readonly path: string; readonly version: string },
  op: string,
): Promise<void> {
  const { path } = file
  const expect = known.get(path)
  if (expect === undefined) return
  // Read `version` only now, because reading this property records the content.
  const { version } = file
  if (expect === version) return
  const { areEqual, staleDetail } = await contents()
  if (areEqual(workspace.fs, path, expect, version)) return
  throw new FsError({ code: 'ESTALE', op, path, ...staleDetail(workspace.fs, path, expect) })
}

/** @throws {FsError} ESTALE for a file that changed since it was read: the caller has not seen the content that it removes */
export async function checkUnchanged(workspace: Workspace, known: ReadonlyMap<string, string>, input: string, op: string): Promise<void> {
  const path = workspace.resolve(input)
  const expect = known.get(path)
  if (expect === undefined || (await currentVersion(workspace, path)) === expect) return
  const there = await workspace.lstat(path).catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (there?.kind === 'file') await refuseStale(workspace, known, await workspace.readBytes(path), op)
}

/** Forgets the recorded versions of a path and, unless it was a known file, of everything below it. */
export function forgetVersions(versions: Map<string, string>, folder: string): void {
  if (versions.delete(folder)) return
  for (const path of versions.keys()) if (isWithin(path, folder)) versions.delete(path)
}

async function currentVersion(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return versionOf(await workspace.lstat(path))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
