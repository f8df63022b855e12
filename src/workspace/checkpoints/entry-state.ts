import { hasCode } from '../../errors/index.js'
import type { FsAdapter } from '../../types/fs.js'
import { versionOf } from '../state.js'
import type { State } from './engine.js'

/** Returns the current state of an entry. Undefined: there is no entry, or it cannot be reached without following a link. */
export async function readState(fs: FsAdapter, path: string): Promise<State | undefined> {
  try {
    const stat = await fs.lstat(path)
    const { kind, size, mode } = stat
    if (kind === 'symlink') return { kind, size, target: (await fs.readlink?.(path)) ?? '' }
    return { kind, size, ...(mode !== undefined && { mode }), version: versionOf(stat) }
  } catch (error) {
    // EINVAL: no longer a link.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL')) return undefined
    throw error
  }
}

/** Whether two entries may be equal. Files of the same size may still differ in content. */
export function mayBeSame(a: State | undefined, b: State | undefined): boolean {
  if (!a || !b) return a === b
  if (a.kind !== b.kind || a.size !== b.size || a.target !== b.target) return false
  return a.mode === undefined || b.mode === undefined || a.mode === b.mode
}
