import { FsError, PolicyError } from '../../errors/index.js'
import { detectBinary } from '../../ops/detect.js'
import { unifiedDiff } from '../../ops/diff.js'
import { decodeUtf8, utf8Length } from '../../ops/utf8.js'
import type { EntryImage, TreeChange, TreeDiff } from '../../types/checkpoint.js'
import type { ToolContext } from '../../types/tool.js'
import { Slicer } from '../../workspace/slicer.js'
import { MAX_DIFF_BYTES } from '../files/change.js'
import type { ShownChange } from './outputs.js'

/** Larger files are not read for a diff. */
const MAX_FILE_BYTES = 2 * 1024 * 1024
/** A diff that has less room than this is left out. */
const MIN_DIFF_BYTES = 256
/** What a diff costs, in the slicer's measure. */
const DIFF_COST = 1000

export function describeChange({ path, before, after }: TreeChange): ShownChange {
  const now = after ?? (before as EntryImage)
  const change = !before ? 'created' : !after ? 'deleted' : before.kind === after.kind ? 'modified' : 'replaced'
  // Of one kind only: a directory in the place of a file has other bits on every storage that keeps any.
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

/** The diffs of text files and links, one after another, within the bytes that a diff may have. */
export async function diffText(context: ToolContext, changes: readonly TreeChange[], read: TreeDiff['read']): Promise<string> {
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
    // Nobody has approved of looking at it: the others are shown all the same.
    if (error instanceof PolicyError) return `[diff of ${name} left out: ${error.reason ?? 'approval is required'}]\n`
    if (!FsError.is(error)) throw error
    return `[diff of ${name} left out: ${error.detail ?? error.code}]\n`
  }
}

/** Null for what is no text. */
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
