import { hasCode } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { SnapshotEntry } from './snapshot.js'

/** `entry`: the entry itself and, of a file, what is in it; `list`: what a directory holds. */
export type LiveQuestion = { readonly ask: 'entry' | 'list'; readonly path: string }
/** Undefined: there is nothing, or it may not be read. */
export type LiveAnswer = readonly SnapshotEntry[] | undefined

/** How things are now, for a program that waits for the answer. */
export async function answerLive(workspace: Workspace, question: unknown): Promise<LiveAnswer> {
  const { ask, path } = question as LiveQuestion
  try {
    if (ask === 'list') {
      const prefix = path === '/' ? '' : path
      const found: SnapshotEntry[] = []
      for (const { name, kind } of await workspace.list(path)) {
        const at = `${prefix}/${name}`
        // One that is gone meanwhile, or may not be read, is a name.
        const target = kind === 'symlink' ? await workspace.readlink(at).catch(() => undefined) : undefined
        found.push({ path: at, kind, ...(target !== undefined && { target }) })
      }
      return found
    }
    const { kind, size, mtimeMs, mode } = await workspace.lstat(path)
    const known = {
      path,
      kind,
      ...(size !== undefined && { size }),
      ...(mtimeMs !== undefined && { mtimeMs }),
      ...(mode !== undefined && { mode }),
    }
    if (kind === 'symlink') return [{ ...known, target: await workspace.readlink(path) }]
    if (kind !== 'file') return [known]
    const { bytes, version } = await workspace.readBytes(path)
    return [{ ...known, bytes, version, size: bytes.length }]
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
