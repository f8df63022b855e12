// The bodies of these tools are in one file, so that a bundle has one chunk for them.
import { FsError, PolicyError } from '../../errors/index.js'
import { detectBinary } from '../../ops/detect.js'
import { unifiedDiff } from '../../ops/diff.js'
import { decodeUtf8, utf8Length } from '../../ops/utf8.js'
import type { EntryImage, TreeChange, TreeDiff } from '../../types/checkpoint.js'
import type { ToolContext } from '../../types/tool.js'
import type { Workspace } from '../../types/workspace.js'
import { isWithin } from '../../workspace/paths.js'
import { Slicer } from '../../workspace/slicer.js'
import { MAX_DIFF_BYTES } from '../files/change.js'
import { forgetVersions } from '../files/versions.js'
import { badCursor, cursorOf, fromCursor } from '../search/pages.js'
import type { DiffCheckpointOutput, ListCheckpointsOutput, RestoreCheckpointOutput, ShownChange } from './outputs.js'

interface ListInput {
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * The body of `list_checkpoints`. The cursor is the last returned id. Newer checkpoints come before this id, so they do not shift pages.
 */
export async function runList({ limit, cursor }: ListInput, { workspace }: ToolContext): Promise<ListCheckpointsOutput> {
  const all = (await workspace.checkpoints()).toReversed()
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && start === 0) throw badCursor(cursor)
  const page = all.slice(start, start + limit)
  const last = page.at(-1)
  const truncated = start + page.length < all.length
  return {
    checkpoints: page.map(({ id, time, label, lost }) => ({
      id,
      time: new Date(time).toISOString(),
      ...(label !== undefined && { label }),
      ...(lost && { lost }),
    })),
    total: all.length,
    truncated,
    ...(truncated && last && { next: last.id }),
  }
}

interface DiffInput {
  readonly checkpoint: string
  readonly to: string
  readonly path?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  readonly diff: boolean
}

/** The body of `diff_checkpoint`. */
export async function runDiff(input: DiffInput, context: ToolContext): Promise<DiffCheckpointOutput> {
  const { workspace, signal } = context
  const { checkpoint, to, limit } = input
  const after = fromCursor(workspace, input.cursor)
  const only = input.path === undefined ? undefined : workspace.resolve(input.path)
  const found = await workspace.diff(checkpoint, to)
  signal.throwIfAborted()
  const changes = only === undefined ? found.changes : found.changes.filter(({ path }) => isWithin(path, only))
  const rest = after === undefined ? changes : changes.filter(({ path }) => path > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const truncated = page.length < rest.length
  const diff = input.diff ? await diffText(context, page, (path, side) => found.read(path, side)) : undefined
  return {
    checkpoint,
    to,
    changes: page.map(describeChange),
    total: changes.length,
    truncated,
    // The root has no relative path, so its cursor is `.`.
    ...(truncated && last && { next: cursorOf(workspace, last.path) || '.' }),
    ...(diff !== undefined && { diff }),
  }
}

/** Maximum number of listed changes. Further changes are only counted. */
const MAX_CHANGES = 500

interface RestoreInput {
  readonly checkpoint: string
  readonly paths?: readonly string[] | undefined
  readonly dry_run: boolean
}

/** The body of `restore_checkpoint`. Locks the whole workspace, so no other call writes between the preview and the restore. */
export function runRestore(input: RestoreInput, context: ToolContext): Promise<RestoreCheckpointOutput> {
  return context.workspace.locked([context.workspace.root], (workspace) => restoreLocked(input, { ...context, workspace }))
}

async function restoreLocked({ checkpoint, paths, dry_run }: RestoreInput, context: ToolContext): Promise<RestoreCheckpointOutput> {
  const { workspace, versions } = context
  const found = await workspace.diff('now', checkpoint)
  const expected = paths ? await chosen(workspace, found.changes, paths) : found.changes
  context.signal.throwIfAborted()
  const diff = await diffText(context, expected.slice(0, MAX_CHANGES), (path, side) => found.read(path, side))
  // The last chance to abort: once started, a restore runs to its end.
  context.signal.throwIfAborted()
  const restored = dry_run ? undefined : await workspace.restore(checkpoint, paths && { paths })
  const changes = restored?.changes ?? expected
  if (restored) for (const change of restored.changes) outdate(versions, change)
  return {
    checkpoint,
    ...(restored ? { undo: restored.checkpoint.id } : { dry_run: true }),
    changes: changes.slice(0, MAX_CHANGES).map(describeChange),
    total: changes.length,
    truncated: changes.length > MAX_CHANGES,
    ...(restored && restored.left.length > 0 && { left: restored.left.slice(0, MAX_CHANGES) }),
    diff,
  }
}

/** Selects the changes in the same way as `restore`. @throws {FsError} ENOENT */
async function chosen(workspace: Workspace, changes: readonly TreeChange[], inputs: readonly string[]): Promise<readonly TreeChange[]> {
  const paths = inputs.map((input) => workspace.resolve(input))
  for (const path of paths) {
    if (changes.some((change) => isWithin(change.path, path)) || (await workspace.exists(path))) continue
    throw new FsError({ code: 'ENOENT', op: 'restore', path, detail: 'it exists neither now nor in the checkpoint' })
  }
  return changes.filter(({ path, before, after }) => {
    const isNeeded = after?.kind === 'dir' && before?.kind !== 'dir'
    return paths.some((one) => isWithin(path, one) || (isNeeded && isWithin(one, path)))
  })
}

/** Marks a restored file as changed, so that the runtime rejects edits until the model reads the file again. */
function outdate(versions: Map<string, string>, { path, after }: TreeChange): void {
  if (after?.kind !== 'file') forgetVersions(versions, path)
  else if (versions.has(path)) versions.set(path, 'restored')
}

/** Maximum bytes of a file for which a diff is made. */
const MAX_FILE_BYTES = 2 * 1024 * 1024
/** If fewer bytes than this are left, a diff is omitted. */
const MIN_DIFF_BYTES = 256
/** Estimated cost of a diff, in microseconds. */
const DIFF_COST = 1000

function describeChange({ path, before, after }: TreeChange): ShownChange {
  const now = after ?? (before as EntryImage)
  const change = !before ? 'created' : !after ? 'deleted' : before.kind === after.kind ? 'modified' : 'replaced'
  // Compare modes only for entries of the same kind: a directory that replaces a file always has other bits.
  const isKept = change === 'modified' && now.kind !== 'symlink' && before?.mode !== undefined && after?.mode !== undefined
  const modes = isKept && before.mode !== after.mode
  return {
    path,
    change,
    kind: now.kind,
    ...(before && change === 'replaced' && { kind_before: before.kind }),
    ...(before && before.kind !== 'dir' && { bytes_before: before.size }),
    ...(after && after.kind !== 'dir' && { bytes_after: after.size }),
    ...(modes && { mode_before: octal(before.mode), mode_after: octal(after.mode) }),
  }
}

const octal = (mode: number | undefined): string => (mode ?? 0).toString(8).padStart(3, '0')

/** Returns the diffs of text files and links, one after another, within the byte limit of a diff. */
async function diffText(context: ToolContext, changes: readonly TreeChange[], read: TreeDiff['read']): Promise<string> {
  const slicer = new Slicer(context.host, context)
  let diff = ''
  let room = MAX_DIFF_BYTES
  for (const [i, change] of changes.entries()) {
    if (room < MIN_DIFF_BYTES) return `${diff}[diff of ${changes.length - i} more changes left out]\n`
    const next = await changeDiff(context.workspace.relative(change.path), change, read, room)
    room -= utf8Length(next)
    diff += next
    if (slicer.due(DIFF_COST)) await slicer.pause()
  }
  return diff
}

async function changeDiff(name: string, change: TreeChange, read: TreeDiff['read'], maxBytes: number): Promise<string> {
  const { path, before, after } = change
  const sizes = [before, after].map((image) => (image?.kind === 'file' ? image.size : 0))
  const largest = Math.max(...sizes)
  if (largest > MAX_FILE_BYTES) return `[diff of ${name} left out: ${largest} bytes]\n`
  try {
    const [old, now] = [await sideOf(path, before, 'before', read), await sideOf(path, after, 'after', read)]
    if (old === null || now === null) return `Binary file ${name} differs\n`
    return unifiedDiff({ path: name, before: old, after: now, maxBytes })
  } catch (error) {
    // Reading this file was not approved: show the other diffs.
    if (error instanceof PolicyError) return `[diff of ${name} left out: ${error.reason ?? 'approval is required'}]\n`
    if (!FsError.is(error)) throw error
    return `[diff of ${name} left out: ${error.detail ?? error.code}]\n`
  }
}

/** Returns one side of a diff as text; null for binary content, undefined for an entry other than a file or link. */
async function sideOf(
  path: string,
  image: EntryImage | undefined,
  side: 'before' | 'after',
  read: TreeDiff['read'],
): Promise<string | null | undefined> {
  if (image?.kind === 'symlink') return image.target
  if (image?.kind !== 'file') return undefined
  const bytes = await read(path, side)
  const text = decodeUtf8(bytes)
  return text === undefined || detectBinary(bytes, text) !== undefined ? null : text
}
