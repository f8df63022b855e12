import type { Change, Changes } from '../../shared/js/changes.js'
import { DIR_MODE, FILE_MODE, type Known, type TreeNode } from './node.js'

/** One path of a program's tree: as it was found, and as the program has left it. */
export interface Changed {
  readonly path: string
  readonly before: Known | undefined
  readonly after: TreeNode | undefined
}

/**
 * What there is to write for them, in an order that can be written and in which nothing is removed before what was moved is there: what something
 * else has taken the place of goes when all is made that does not lie in it, and what is just gone goes last.
 *
 * @param all by path, in order
 */
export function changesOf(all: readonly Changed[]): Changes {
  const replaced = new Set(all.filter(isReplaced).map(({ path }) => path))
  const inReplaced = (path: string): boolean => replaced.size > 0 && pathAndAbove(path).some((one) => replaced.has(one))
  const [apart, inside] = [all.filter(({ path }) => !inReplaced(path)), all.filter(({ path }) => inReplaced(path))]
  return [...apart.flatMap(made), ...removed(inside), ...inside.flatMap(made), ...removed(apart)]
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
      return [{ do: 'remove', path, kind: before.kind, ...(before.version !== undefined && { expect: before.version }) }]
    })
    .reverse()

function made(one: Changed): Change[] {
  const { path, before, after } = one
  if (!after) return []
  const kept = isReplaced(one) ? undefined : before
  const all: Change[] = []
  if (after.kind === 'dir' && !kept) all.push({ do: 'mkdir', path })
  else if (after.kind === 'symlink' && !kept) all.push({ do: 'symlink', path, target: after.target ?? '', ...fromOf(one) })
  else if (after.kind === 'file' && after.bytes && after.bytes !== kept?.bytes)
    all.push({ do: 'write', path, bytes: after.bytes, ...conditionOf(kept), ...fromOf(one) })
  const mode = kept ? (kept.mode ?? after.mode) : after.kind === 'dir' ? DIR_MODE : FILE_MODE
  const meta = { ...(after.mode !== mode && { mode: after.mode }), ...(after.timed && { mtimeMs: after.mtimeMs }) }
  if (after.kind !== 'symlink' && Object.keys(meta).length > 0) all.push({ do: 'meta', path, ...meta })
  return all
}

const fromOf = ({ path, after }: Changed): { readonly from?: string } =>
  after?.from === undefined || after.from === path ? {} : { from: after.from }

/** What is known by its name alone is replaced, as by a program that runs beside the files. */
function conditionOf(kept: Known | undefined): { readonly expect?: string; readonly over?: boolean } {
  if (!kept) return {}
  const expect = kept.read ?? kept.version
  return expect === undefined ? { over: true } : { expect }
}
