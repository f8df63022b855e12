import type { Change, Changes } from '../../shared/js/changes.js'
import { DIR_MODE, FILE_MODE, type Known, type TreeNode } from './node.js'

/** One path of a program's tree: as it was found, and as the program has left it. */
export interface Changed {
  readonly path: string
  readonly before: Known | undefined
  readonly after: TreeNode | undefined
}

/**
 * What there is to write for them, in an order that can be written, and in which nothing is removed or written over before what was moved from
 * there is where it belongs: what something else has taken the place of goes when all is made that does not lie in it, and what is just gone goes
 * last. A directory gets its mode and time when all is done in it, but what it needs for that at once.
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

/** Directories, then the rest. */
const made = (all: readonly Changed[]): Change[] => [...all.flatMap(madeDir), ...movedFirst(all).flatMap(madeFile)]

const isMoved = (one: Changed): boolean => fromOf(one).from !== undefined

/**
 * What was moved away from a path comes before what is there now. Of those that have changed places, one is the first. What was not moved comes
 * last: what is on its way is written at once, and all that lies between with it.
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

/** What is below goes before what it is in. */
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

/** Read, write and search for the owner: what is done in a directory takes them. */
const OPEN_MODE = 0o700

/** A directory that was closed, and has been opened. */
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

/** What is known by its name alone is replaced, as by a program that runs beside the files. */
function conditionOf(kept: Known | undefined): { readonly expect?: string; readonly over?: boolean } {
  if (!kept) return {}
  const expect = kept.read ?? kept.version
  return expect === undefined ? { over: true } : { expect }
}
