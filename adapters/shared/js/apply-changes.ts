import { hasCode } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { Change, Changes } from './changes.js'

/**
 * Writes what a program has changed, one after the other. What cannot be written does not keep the rest from it: a line each says why.
 *
 * @param signal nothing more is written when it aborts
 * @param kept paths of what could not be moved, or written: nothing is done to it after that
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
  for (const change of changes) {
    if (signal.aborted) break
    if (kept.has(change.path) && (change.do === 'remove' || change.do === 'meta')) continue
    try {
      if (kept.has(change.path)) throw new Error(`ESTALE: Cannot write "${change.path}": what was moved from there could not be moved`)
      await apply(workspace, change)
    } catch (error) {
      kept.add(change.path)
      if ('from' in change && change.from !== undefined) kept.add(change.from)
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  return problems
}

async function apply(workspace: Workspace, change: Change): Promise<void> {
  const { path } = change
  switch (change.do) {
    case 'mkdir':
      await workspace.mkdir(path, { parents: true }).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      return
    case 'symlink':
      return workspace.symlink(change.target, path)
    case 'meta': {
      const { mode, mtimeMs } = change
      return workspace
        .setMeta(path, { ...(mode !== undefined && { mode }), ...(mtimeMs !== undefined && { mtimeMs }) })
        .catch((error: unknown) => {
          if (!hasCode(error, 'ENOTSUP')) throw error
        })
    }
    case 'write': {
      const { bytes, expect, over } = change
      await workspace.writeBytes(path, bytes, expect === undefined ? { mode: over ? 'overwrite' : 'create' } : { expect })
      return
    }
    case 'remove':
      await removed(workspace, path, change.expect).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
      })
  }
}

async function removed(workspace: Workspace, path: string, expect: string | undefined): Promise<void> {
  if (expect !== undefined) {
    // Not to remove what somebody has changed meanwhile.
    const { version } = await workspace.readBytes(path, { length: 0 })
    if (version !== expect) throw new Error(`ESTALE: Cannot remove "${path}": it changed since it was read: read it again`)
  }
  await workspace.remove(path)
}
