import { lazy } from '../../core/lazy.js'
import { FsError, hasCode } from '../../errors/index.js'
import { commonStart, sameBytes } from '../../ops/bytes.js'
import type { FsStat } from '../../types/fs.js'
import type { ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { parentPath } from '../../workspace/paths.js'
import type { SetAside } from '../../workspace/replacing.js'
import { inSlices, Slicer } from '../../workspace/slicer.js'
import { versionOf } from '../../workspace/state.js'
import { lstatOrNothing, type PathState, type Stored, type Written } from './apply-patch-state.js'

/** Loads on first use: few patches need it. */
const replacing = lazy(() => import('../../workspace/replacing.js'))
/** Number of changes between two pauses for the event loop. */
const CHANGES_A_SLICE = 32

/** The context that all steps of one commit share. */
export interface Commit {
  readonly workspace: Workspace
  readonly context: ToolContext
  /** Directories that this commit created. After a failure, the caller removes those that are empty. */
  readonly made: string[]
}

/** A file with its path before this commit. */
interface Moved {
  readonly from: string
  readonly old: StoredFile
}

type StoredFile = Stored & { readonly kind: 'file' }
type StoredLink = Stored & { readonly kind: 'symlink' }

/** The progress of one path from its stored to its wanted state. */
interface Progress extends Written {
  /** The file that this commit moved here from another path. */
  moved?: Moved
  /** Entries to remove after all other steps. */
  aside?: SetAside
  /** Whether the last step failed and may have changed something. */
  unsure?: boolean
}

/** Codes with which a storage rejects an operation before it changes anything. */
const REFUSALS = ['ESTALE', 'EEXIST', 'ENOENT', 'EACCES', 'EROFS', 'EISDIR', 'ENOTDIR', 'ELOOP'] as const

/**
 * Writes the wanted states: new content first, removals last. An abort does not stop the commit. If a step fails, restores the stored state
 * of the earlier paths, except where another writer has changed something meanwhile.
 *
 * @throws the error of the step; {FsError} EIO, whose details name the files, if undoing fails too (`stuck`) or another writer has changed
 * them (`foreign`)
 */
export async function commitStates(commit: Commit, states: readonly PathState[]): Promise<void> {
  const { context } = commit
  const ordered = [...states.filter(({ wanted }) => wanted !== undefined), ...states.filter(({ wanted }) => wanted === undefined)]
  const begun: Progress[] = []
  try {
    for (const state of ordered) {
      const progress: Progress = { state }
      begun.push(progress)
      const isLast = begun.length === ordered.length
      if (state.wanted === undefined && state.stored && !isLast) await stepAside(commit, progress, state.stored)
      else await commitOne(commit, progress)
      if (begun.length % CHANGES_A_SLICE === 0) await context.host.yield()
    }
    for (const { aside } of begun) await aside?.drop()
  } catch (error) {
    const last = begun.at(-1)
    if (last) last.unsure = !hasCode(error, ...REFUSALS)
    const now = hasCode(error, 'ESTALE') && (await lstatOrNothing(commit.workspace, error.path))
    const failure = now ? (await import('./apply-patch-mistakes.js')).byOtherName(error as FsError, begun, now) : error
    await undoAll(commit, begun, failure)
    throw failure
  }
  for (const [i, progress] of begun.entries()) {
    await settle(commit, progress)
    if (i % CHANGES_A_SLICE === 0) await context.host.yield()
  }
}

async function commitOne(commit: Commit, progress: Progress): Promise<void> {
  const { workspace } = commit
  const { path, stored, wanted, from } = progress.state
  const source = from?.stored
  if (wanted === 'link' && source?.kind !== 'symlink') return
  if (wanted && wanted !== 'link' && from && !stored && from.wanted === undefined && source?.kind === 'file')
    return moveIn(commit, progress, from, source, wanted.bytes)
  if (stored && (!wanted || wanted === 'link' || stored.kind === 'symlink')) {
    await checkStored(workspace, path, stored, 'remove')
    await workspace.remove(path)
    progress.done = {}
  }
  if (!wanted) return
  if (wanted === 'link' || stored?.kind !== 'file') await noteParents(commit, path)
  if (wanted === 'link') {
    // Creating an empty file first creates the parent directories, and detects a similar name.
    const file = await workspace.writeBytes(path, new Uint8Array(), { mode: 'create', distinct: true })
    progress.done ??= file
    await workspace.remove(path)
    await workspace.symlink((source as StoredLink).target, path)
  } else if (stored?.kind !== 'file') {
    progress.done = await workspace.writeBytes(path, wanted.bytes, { mode: 'create', distinct: true })
  } else if (!sameBytes(stored.bytes, wanted.bytes)) {
    progress.done = await workspace.writeBytes(path, wanted.bytes, { expect: stored.version })
  }
  if (wanted !== 'link') {
    if (wanted.mode === undefined || !workspace.fs.can.mode || !workspace.fs.setMeta) return
    // Keep the mode, so that a moved file stays executable. Setting it may change the version.
    await workspace.setMeta(path, { mode: wanted.mode })
  }
  progress.done = { version: versionOf(await workspace.lstat(path)) }
}

/** Gives the old entry a temporary name instead of removing it, because it has to be restored if a later step fails. */
async function stepAside({ workspace }: Commit, progress: Progress, stored: Stored): Promise<void> {
  const { path } = progress.state
  await checkStored(workspace, path, stored, 'remove')
  progress.aside = await (await replacing()).setAside(workspace, path)
  await progress.aside.go()
  progress.done = {}
}

/** Renames the file first, then writes its new content. */
async function moveIn(commit: Commit, progress: Progress, from: PathState, old: StoredFile, bytes: Uint8Array): Promise<void> {
  const { workspace } = commit
  const { path } = progress.state
  await checkStored(workspace, from.path, old, 'move')
  await noteParents(commit, path)
  progress.moved = { from: from.path, old }
  await workspace.move(from.path, path, { distinct: true })
  from.stored = undefined
  progress.done = { version: versionOf(await workspace.lstat(path)) }
  if (!sameBytes(old.bytes, bytes)) progress.done = await workspace.writeBytes(path, bytes, { expect: progress.done.version })
}

async function checkStored(workspace: Workspace, path: string, stored: Stored, op: string): Promise<void> {
  const stat = await lstatOrNothing(workspace, path)
  if (!stat || versionOf(stat) !== stored.version) throw new FsError({ code: 'ESTALE', op, path })
}

/** Records the directories that a write will create, from the top down. */
async function noteParents({ workspace, made }: Commit, path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = parentPath(path); folder !== workspace.root; folder = parentPath(folder)) {
    if (await lstatOrNothing(workspace, folder)) break
    missing.push(folder)
  }
  made.push(...missing.reverse())
}

/** Makes the written state the stored state, from which the next section of the patch starts. */
async function settle({ workspace, context }: Commit, { state, done }: Progress): Promise<void> {
  const { path, stored, wanted } = state
  state.changed = false
  if (wanted === undefined) {
    state.stored = undefined
    context.versions.delete(path)
    return
  }
  const stat = await workspace.lstat(path)
  // Do not record the current version: another writer may have produced it, with unknown content.
  const version = done?.version ?? stored?.version ?? versionOf(stat)
  if (wanted === 'link') {
    state.stored = { kind: 'symlink', target: await workspace.readlink(path), version, stat }
    return
  }
  state.stored = { kind: 'file', bytes: wanted.bytes, version, stat }
  context.versions.set(path, version)
}

async function undoAll(commit: Commit, begun: readonly Progress[], error: unknown): Promise<void> {
  const stuck: string[] = []
  const foreign: string[] = []
  for (const progress of begun.toReversed()) {
    try {
      if (!(await undo(commit, progress, error))) foreign.push(progress.state.path)
    } catch {
      stuck.push(progress.state.path, ...(progress.aside ? [progress.aside.at] : []))
    }
  }
  const path = stuck[0] ?? foreign[0]
  if (path === undefined) return
  throw Object.assign(new FsError({ code: 'EIO', op: 'undo the patch of', path, cause: error }), { details: { stuck, foreign } })
}

/**
 * Restores the stored state if this commit changed it. @returns false if another writer has changed the path since, so that its entry stays
 */
async function undo(commit: Commit, progress: Progress, cause: unknown): Promise<boolean> {
  const { workspace } = commit
  const { state, done, unsure, aside, moved } = progress
  const { path, stored } = state
  if (!done && !unsure) return true
  const now = await lstatOrNothing(workspace, path)
  if (!now && (await aside?.back(cause))) {
    await noteBack(commit, path, stored as Stored)
    return true
  }
  const isGone = moved && !(await lstatOrNothing(workspace, moved.from))
  if (!now && !stored) return !isGone
  if (now && stored && !done && versionOf(now) === stored.version) return true
  if (!(await isOwn(commit, progress, now))) return false
  if (moved && now && isGone) await moveBack(commit, path, moved, now)
  else if (!stored) await workspace.remove(path)
  else await putBack(commit, path, stored, now)
  return true
}

/** Whether the current entry, or its absence, is the work of this commit. */
async function isOwn({ workspace, context }: Commit, { state, done, unsure, moved }: Progress, now: FsStat | undefined): Promise<boolean> {
  const { path, stored, wanted } = state
  // Restoring a missing file cannot destroy anything.
  if (!now) return done ? done.version === undefined : unsure === true && (wanted === undefined || !workspace.fs.can.atomicReplace)
  if (versionOf(now) === done?.version) return true
  if (!unsure || now.kind !== 'file' || wanted === undefined || wanted === 'link') return false
  // The failed write may have taken effect. The content shows whether this commit wrote the file.
  const old = moved ? moved.old.bytes : stored?.kind === 'file' ? stored.bytes : new Uint8Array()
  if (now.size > Math.max(old.length, wanted.bytes.length)) return false
  const { bytes, version } = await workspace.readBytes(path)
  if (version !== versionOf(now)) return false
  const slicer = new Slicer(context.host)
  const fresh = await inSlices(commonStart(bytes, wanted.bytes), slicer)
  const isInPlace = !workspace.fs.can.atomicReplace
  if (fresh === bytes.length && (isInPlace || fresh === wanted.bytes.length)) return true
  if (bytes.length !== old.length || !(isInPlace || moved)) return false
  // An interrupted write in place leaves a part of the new content, followed by nothing or by the old content.
  const rest = bytes.subarray(isInPlace ? fresh : 0)
  return (await inSlices(commonStart(rest, old.subarray(old.length - rest.length)), slicer)) === rest.length
}

async function moveBack(commit: Commit, path: string, { from, old }: Moved, now: FsStat): Promise<void> {
  const { workspace } = commit
  await workspace.move(path, from)
  const there = { ...now, version: versionOf(await workspace.lstat(from)) }
  if (!sameBytes((await workspace.readBytes(from)).bytes, old.bytes)) await putBack(commit, from, old, there)
}

async function putBack(commit: Commit, path: string, stored: Stored, now: FsStat | undefined): Promise<void> {
  const { workspace } = commit
  const isKept = now?.kind === 'file' && stored.kind === 'file'
  if (now && !isKept) await workspace.remove(path)
  if (stored.kind === 'symlink') {
    await workspace.symlink(stored.target, path)
    return
  }
  await workspace.writeBytes(path, stored.bytes, isKept ? { expect: versionOf(now) } : { mode: 'create' })
  const { mode, mtimeMs } = stored.stat
  try {
    if (workspace.fs.setMeta) await workspace.setMeta(path, { mtimeMs, ...(mode !== undefined && workspace.fs.can.mode && { mode }) })
  } catch (error) {
    // A file that stayed in place still has its permission bits, and only the owner may set them, so ignore the error.
    if (!isKept) throw error
  }
  await noteBack(commit, path, stored)
}

/** Records the new version of a restored file, so that later edits do not find it stale. */
async function noteBack({ workspace, context }: Commit, path: string, stored: Stored): Promise<void> {
  if (context.versions.get(path) === stored.version) context.versions.set(path, versionOf(await workspace.lstat(path)))
}
