import { hasCode } from '../../errors/index.js'
import type { FsAdapter } from '../../types/fs.js'
import { versionOf } from '../state.js'
import type { State } from './engine.js'

/** What an entry is now; undefined: nothing, or nothing that can be reached without following a link. */
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

/** Whether two entries may be the same; files of one size have to be read to know. */
export function mayBeSame(a: State | undefined, b: State | undefined): boolean {
  if (!a || !b) return a === b
  if (a.kind !== b.kind || a.size !== b.size || a.target !== b.target) return false
  return a.mode === undefined || b.mode === undefined || a.mode === b.mode
}
