import { hasCode } from '../../../src/errors/index.js'
import type { Workspace } from '../../../src/types/workspace.js'
import type { SnapshotEntry } from './snapshot.js'

/** Maximum number of bytes of a piece. Content is transferred in pieces, so that only the receiver holds a large file in memory. */
export const PIECE: number = 4 * 2 ** 20

/**
 * A question about the current files. `entry` asks for an entry, with the content of a file that has at most `content` bytes. `piece` asks
 * for a part of a file, at most `PIECE` bytes. `list` asks for the entries of a directory.
 */
export type LiveQuestion =
  | { readonly ask: 'entry'; readonly path: string; readonly content?: number }
  | { readonly ask: 'piece'; readonly path: string; readonly offset: number; readonly length: number }
  | { readonly ask: 'list'; readonly path: string }
/** The entries of the answer. Undefined if the path does not exist. */
export type LiveAnswer = readonly SnapshotEntry[] | undefined

/** Answers a question about the current files of the workspace. The program that asks may be hostile. */
export async function answerLive(workspace: Workspace, question: unknown): Promise<LiveAnswer> {
  const asked = question as LiveQuestion
  try {
    if (asked.ask === 'list') return await listed(workspace, asked.path)
    if (asked.ask === 'piece') return [await pieceOf(workspace, asked)]
    return [await entryOf(workspace, asked.path, Math.min(Number(asked.content ?? 0), PIECE))]
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

async function listed(workspace: Workspace, path: string): Promise<SnapshotEntry[]> {
  const prefix = path === '/' ? '' : path
  const found: SnapshotEntry[] = []
  for (const { name, kind } of await workspace.list(path)) {
    const at = `${prefix}/${name}`
    // A symlink that was removed in the meantime, or that may not be read, is listed without its target.
    const target = kind === 'symlink' ? await workspace.readlink(at).catch(() => undefined) : undefined
    found.push({ path: at, kind, ...(target !== undefined && { target }) })
  }
  return found
}

async function pieceOf(
  workspace: Workspace,
  { path, offset, length }: { readonly path: string; readonly offset: number; readonly length: number },
): Promise<SnapshotEntry> {
  if (![offset, length].every((one) => Number.isSafeInteger(one) && one >= 0)) throw new TypeError('A piece begins and is so many bytes')
  const { bytes, version } = await workspace.readBytes(path, { offset, length: Math.min(length, PIECE) })
  return { path, kind: 'file', bytes, version }
}

async function entryOf(workspace: Workspace, path: string, content: number): Promise<SnapshotEntry> {
  const { kind, size, mtimeMs, mode } = await workspace.lstat(path)
  const known = {
    path,
    kind,
    ...(size !== undefined && { size }),
    ...(mtimeMs !== undefined && { mtimeMs }),
    ...(mode !== undefined && { mode }),
  }
  if (kind === 'symlink') return { ...known, target: await workspace.readlink(path) }
  if (kind !== 'file') return known
  const fits = content > 0 && (size ?? Number.POSITIVE_INFINITY) <= content
  // Read one more byte than `content`, to notice whether the file has grown.
  const { bytes, version } = await workspace.readBytes(path, { length: fits ? content + 1 : 0 }).catch((error: unknown) => {
    if (content > 0 || !isForbidden(error)) throw error
    return { bytes: NOTHING, version: undefined }
  })
  if (version === undefined) return known
  return fits && bytes.length <= content ? { ...known, bytes, version, size: bytes.length } : { ...known, version }
}

const NOTHING = new Uint8Array()

/** Returns whether an error means that a policy or the storage denied access. */
export const isForbidden = (error: unknown): boolean => hasCode(error, 'EACCES') || (error instanceof Error && error.name === 'PolicyError')
