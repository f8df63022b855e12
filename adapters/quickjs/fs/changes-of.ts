import type { Change, Changes } from '../../shared/js/changes.js'
import { DIR_MODE, FILE_MODE, type Known, type TreeNode } from './node.js'

/** A path of the program's tree. `before`: the workspace's entry; `after`: the entry with the program's changes. */
export interface Changed {
  readonly path: string
  readonly before: Known | undefined
  readonly after: TreeNode | undefined
}

/**
 * Returns the changes in a safe order. Nothing is removed or overwritten before content that was moved away from there has reached its new
 * path. An entry that is replaced by another kind is removed after everything outside of it was created. Deleted entries are removed last.
 * Directories get their mode and time at the end, except for permissions that are needed earlier.
 *
 * @param all by path, in order
 */
export function changesOf(all: readonly Changed[]): Changes {
  const replaced = new Set(all.filter(isReplaced).map(({ path }) => path))
  const inReplaced = (path: string): boolean => replaced.size > 0 && pathAndAbove(path).some((one) => replaced.has(one))
  const [apart, inside] = [all.filter(({ path }) => !inReplaced(path)), all.filter(({ path }) => inReplaced(path))]
  const dirs = all.filter(({ after }) => after?.kind === 'dir')
  return [
    ...dirs.flatMap(opened),
    ...made(apart),
    ...removed(inside),
    ...made(inside),
    ...removed(apart),
    ...dirs.reverse().flatMap(metaOf),
  ]
}

/** Creates directories first, then everything else. */
const made = (all: readonly Changed[]): Change[] => [...all.flatMap(madeDir), ...movedFirst(all).flatMap(madeFile)]

const isMoved = (one: Changed): boolean => fromOf(one).from !== undefined

/**
 * Sorts changes. Content that was moved away from a path is written before the new content of the path. In a cycle of moves, any of them
 * comes first. Unmoved entries come last, because pending moves and all changes between them must be written in one batch.
 */
function movedFirst(all: readonly Changed[]): Changed[] {
  const movedFrom = new Map<string, Changed[]>()
  for (const one of all) {
    const { from } = fromOf(one)
    if (from !== undefined) movedFrom.set(from, [...(movedFrom.get(from) ?? []), one])
  }
  const ordered = new Set<Changed>()
  const begun = new Set<Changed>()
  for (const first of [...all.filter(isMoved), ...all.filter((one) => !isMoved(one))]) {
    const waiting = [first]
    for (let one = waiting.at(-1); one; one = waiting.at(-1)) {
      const before = begun.has(one) ? [] : (movedFrom.get(one.path) ?? []).filter((other) => !begun.has(other))
      begun.add(one)
      if (before.length > 0) waiting.push(...before)
      else {
        ordered.add(one)
        waiting.pop()
      }
    }
  }
  return [...ordered]
}

const isReplaced = ({ before, after }: Changed): boolean =>
  before !== undefined &&
  after !== undefined &&
  (after.kind !== before.kind || (after.kind === 'symlink' && after.target !== before.target))

function pathAndAbove(path: string): string[] {
  const all: string[] = []
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) all.push(at)
  return all
}

/** Removes children before their directory. */
const removed = (all: readonly Changed[]): Change[] =>
  all
    .flatMap((one): Change[] => {
      const { path, before, after } = one
      if (!before || (after && !isReplaced(one))) return []
      const { kind, version, target } = before
      return [{ do: 'remove', path, kind, ...(version !== undefined && { expect: version }), ...(target !== undefined && { target }) }]
    })
    .reverse()

const keptOf = (one: Changed): Known | undefined => (isReplaced(one) ? undefined : one.before)

const madeDir = (one: Changed): Change[] => (one.after?.kind === 'dir' && !keptOf(one) ? [{ do: 'mkdir', path: one.path }] : [])

function madeFile(one: Changed): Change[] {
  const { path, after } = one
  const kept = keptOf(one)
  if (after?.kind === 'symlink') return kept ? [] : [{ do: 'symlink', path, target: after.target ?? '', ...fromOf(one) }]
  if (after?.kind !== 'file') return []
  const { bytes } = after
  const write: Change[] = bytes && bytes !== kept?.bytes ? [{ do: 'write', path, bytes, ...conditionOf(kept), ...fromOf(one) }] : []
  return [...write, ...metaOf(one)]
}

/** Permissions that the owner needs to change the entries of a directory. */
const OPEN_MODE = 0o700

/** Grants missing owner permissions of a directory before its entries change. */
function opened({ path, before, after }: Changed): Change[] {
  if (before?.kind !== 'dir' || before.mode === undefined || after?.kind !== 'dir') return []
  return (after.mode & ~before.mode & OPEN_MODE) !== 0 ? [{ do: 'meta', path, mode: after.mode }] : []
}

function metaOf(one: Changed): Change[] {
  const { path, after } = one
  if (!after || after.kind === 'symlink') return []
  const kept = keptOf(one)
  const mode = kept ? (kept.mode ?? after.mode) : after.kind === 'dir' ? DIR_MODE : FILE_MODE
  const meta = { ...(after.mode !== mode && { mode: after.mode }), ...(after.timed && { mtimeMs: after.mtimeMs }) }
  return Object.keys(meta).length > 0 ? [{ do: 'meta', path, ...meta }] : []
}

const fromOf = ({ path, after }: Changed): { readonly from?: string } =>
  after?.from === undefined || after.from === path ? {} : { from: after.from }

/** Returns the version condition of a write. Without a known version, a file is overwritten without a check, as by a native program. */
function conditionOf(kept: Known | undefined): { readonly expect?: string; readonly over?: boolean } {
  if (!kept) return {}
  const expect = kept.read ?? kept.version
  return expect === undefined ? { over: true } : { expect }
}
