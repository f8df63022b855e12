import { FsError } from '../../errors/index.js'
import type { ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { parentPath } from '../../workspace/paths.js'
import { versionOf } from '../../workspace/state.js'
import { type Content, lstatOrNothing, type PathState, type Stored } from './apply-patch-state.js'
import { forgetVersions } from './versions.js'

/** After so many changes it gives way to the event loop. */
const CHANGES_A_SLICE = 32

/** The changes that are made so far, with what it takes to undo them. */
export interface Commit {
  readonly workspace: Workspace
  readonly context: ToolContext
  /** Directories that were made, which the locks of the files do not cover: the caller removes them after a failure. */
  readonly made: string[]
}

/**
 * Writes what the states want, new content first and removals last, and does not stop for an abort. When one fails, the ones before it
 * are undone from what was stored.
 *
 * @throws what failed; {FsError} EIO, naming the files, when undoing fails too
 */
export async function commitStates(commit: Commit, states: readonly PathState[]): Promise<void> {
  const { context } = commit
  const ordered = [...states.filter(({ wanted }) => wanted !== undefined), ...states.filter(({ wanted }) => wanted === undefined)]
  const begun: PathState[] = []
  try {
    for (const state of ordered) {
      begun.push(state)
      await commitOne(commit, state)
      if (begun.length % CHANGES_A_SLICE === 0) await context.host.yield()
    }
  } catch (error) {
    await undoAll(commit, begun, error)
    throw error
  }
  for (const state of ordered) await settle(commit, state)
}

async function commitOne(commit: Commit, state: PathState): Promise<void> {
  const { workspace } = commit
  const { path, stored, wanted } = state
  if (wanted === 'link') return
  if (wanted === undefined) return stored ? removeStored(workspace, path, stored) : undefined
  if (stored?.kind === 'symlink') await removeStored(workspace, path, stored)
  if (stored?.kind === 'file') {
    if (!sameBytes(stored.bytes, wanted.bytes)) await workspace.writeBytes(path, wanted.bytes, { expect: stored.version })
  } else {
    commit.made.push(...(await missingParents(workspace, path)))
    await workspace.writeBytes(path, wanted.bytes, { mode: 'create' })
  }
  await keepMode(workspace, path, wanted)
}

async function removeStored(workspace: Workspace, path: string, stored: Stored): Promise<void> {
  const stat = await lstatOrNothing(workspace, path)
  if (!stat || versionOf(stat) !== stored.version) throw new FsError({ code: 'ESTALE', op: 'remove', path })
  await workspace.remove(path)
}

/** A moved file stays executable. */
async function keepMode(workspace: Workspace, path: string, { mode }: Content): Promise<void> {
  if (mode !== undefined && workspace.fs.can.mode && workspace.fs.setMeta) await workspace.setMeta(path, { mode })
}

/** From the top down. */
async function missingParents(workspace: Workspace, path: string): Promise<string[]> {
  const missing: string[] = []
  for (let folder = parentPath(path); folder !== workspace.root; folder = parentPath(folder)) {
    if (await lstatOrNothing(workspace, folder)) break
    missing.push(folder)
  }
  return missing.reverse()
}

/** What is stored now is what the next section of the patch begins with. */
async function settle({ workspace, context }: Commit, state: PathState): Promise<void> {
  const { path, wanted } = state
  state.changed = false
  if (wanted === 'link') return
  if (wanted === undefined) {
    state.stored = undefined
    forgetVersions(context.versions, path)
    return
  }
  const stat = await workspace.lstat(path)
  const version = versionOf(stat)
  state.stored = { kind: 'file', bytes: wanted.bytes, version, stat }
  context.versions.set(path, version)
}

async function undoAll({ workspace, context }: Commit, begun: readonly PathState[], error: unknown): Promise<void> {
  const stuck: string[] = []
  for (const state of begun.toReversed()) {
    try {
      await undo(workspace, context, state)
    } catch {
      stuck.push(state.path)
    }
  }
  if (stuck.length === 0) return
  const why = error instanceof Error ? error.message : String(error)
  const names = stuck.map((path) => `"${path}"`).join(', ')
  throw new FsError({
    code: 'EIO',
    op: 'undo the patch of',
    path: stuck[0] as string,
    detail: `it failed (${why}), and putting back what was there failed too: check ${names}`,
    cause: error,
  })
}

/** Puts back what was stored; does nothing where it is still there. */
async function undo(workspace: Workspace, context: ToolContext, { path, stored }: PathState): Promise<void> {
  const now = await lstatOrNothing(workspace, path)
  if (!stored) {
    if (now) await workspace.remove(path)
    return
  }
  if (now && versionOf(now) === stored.version) return
  if (stored.kind === 'symlink') {
    if (now) await workspace.remove(path)
    await workspace.symlink(stored.target, path)
    return
  }
  await workspace.writeBytes(path, stored.bytes)
  const { mode, mtimeMs } = stored.stat
  if (workspace.fs.setMeta) await workspace.setMeta(path, { mtimeMs, ...(mode !== undefined && workspace.fs.can.mode && { mode }) })
  if (context.versions.get(path) === stored.version) context.versions.set(path, versionOf(await workspace.lstat(path)))
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]))
}
