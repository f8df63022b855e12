import { ignoreCodes } from '../../../src/errors/index.js'
import type { FileKind, FsStat } from '../../../src/types/fs.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { Change, Changes } from './changes.js'
import { isForbidden } from './live-files.js'
import { createPutBack, type PutBack } from './write-back.js'

/**
 * Writes a program's changes one by one. A failed change does not stop the others. Returns one line per failure. If a failed or aborted
 * move has removed content, that content is restored, or kept in a `.kept` file.
 *
 * @param signal after an abort, no more changes are written, but content of unfinished moves is still restored
 * @param kept paths of failed moves and writes. Later changes must not touch these paths
 */
export async function applyChanges(
  workspace: Workspace,
  changes: Changes,
  grant: 'none' | 'read' | 'write',
  signal: AbortSignal,
  kept: Set<string> = new Set(),
): Promise<string[]> {
  const problems: string[] = []
  if (grant !== 'write') return problems
  const putBack = createPutBack(workspace, changes)
  for (const change of changes) {
    if (signal.aborted) break
    if (kept.has(change.path) && (change.do === 'remove' || change.do === 'meta')) continue
    try {
      if (kept.has(change.path)) throw new Error(`ESTALE: Cannot write "${change.path}": what was moved from there could not be moved`)
      await apply(workspace, change, putBack)
      await putBack.arrived(change)
    } catch (error) {
      kept.add(change.path)
      if ('from' in change && change.from !== undefined) kept.add(change.from)
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  return [...problems, ...(await putBack.finish())]
}

async function apply(workspace: Workspace, change: Change, putBack: PutBack): Promise<void> {
  const { path } = change
  switch (change.do) {
    case 'mkdir':
      // `parents` also accepts an existing directory. An existing file is an error.
      await workspace.mkdir(path, { parents: true })
      return
    case 'symlink':
      return workspace.symlink(change.target, path)
    case 'meta': {
      const { mode, mtimeMs } = change
      return workspace
        .setMeta(path, { ...(mode !== undefined && { mode }), ...(mtimeMs !== undefined && { mtimeMs }) })
        .catch(ignoreCodes('ENOTSUP'))
    }
    case 'write': {
      const { bytes, expect, over } = change
      if (putBack.concerns(change)) {
        await checkKnown(workspace, { path, kind: 'file', expect })
        await putBack.copyAway(change)
      }
      await workspace.writeBytes(path, bytes, expect === undefined ? { mode: over ? 'overwrite' : 'create' } : { expect })
      return
    }
    case 'remove':
      await removed(workspace, change, putBack).catch(ignoreCodes('ENOENT'))
  }
}

async function removed(workspace: Workspace, change: Change & { readonly do: 'remove' }, putBack: PutBack): Promise<void> {
  const { path } = change
  if (putBack.concerns(change)) return putBack.moveAway(change, (own) => checkKnown(own, change))
  await workspace.locked([path], async (own) => {
    await checkKnown(own, change)
    await own.remove(path)
  })
}

interface KnownAs {
  readonly path: string
  readonly kind: FileKind
  readonly expect?: string | undefined
  readonly target?: string | undefined
}

/**
 * Checks that an entry is still the one that the program saw, so that nobody else's changes are removed.
 *
 * @throws {FsError} ENOENT; {Error} ESTALE
 */
async function checkKnown(workspace: Workspace, { path, kind, expect, target }: KnownAs): Promise<void> {
  const stat = await lookedAt(workspace, path)
  const isKnown =
    stat.kind === kind &&
    (target === undefined || (await workspace.readlink(path)) === target) &&
    (expect === undefined || (await versionAt(workspace, path, stat)) === expect)
  if (!isKnown) throw new Error(`ESTALE: Cannot remove "${path}": it changed since it was read: read it again`)
}

/** Returns what `lstat` returns. For an entry that may not be read, returns the kind from the listing of its directory. */
async function lookedAt(workspace: Workspace, path: string): Promise<Pick<FsStat, 'kind' | 'version'>> {
  try {
    return await workspace.lstat(path)
  } catch (error) {
    const slash = path.lastIndexOf('/')
    const found =
      isForbidden(error) && (await workspace.list(path.slice(0, slash) || '/')).find(({ name }) => name === path.slice(slash + 1))
    if (!found) throw error
    return { kind: found.kind }
  }
}

async function versionAt(workspace: Workspace, path: string, { version }: Pick<FsStat, 'version'>): Promise<string | undefined> {
  try {
    return (await workspace.readBytes(path, { length: 0 })).version
  } catch (error) {
    if (!isForbidden(error)) throw error
    return version
  }
}
