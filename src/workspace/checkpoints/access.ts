import { FsError, hasCode, InputError } from '../../errors/index.js'
import type { Checkpoint, CheckpointOptions, TreeDiff } from '../../types/checkpoint.js'
import type { View } from '../state.js'
import { type Engine, type Moment, RESERVED } from './engine.js'
import { Diff } from './tree-diff.js'
import { engineIn } from './virtual-engine.js'

const MAX_LABEL = 200
/** Maximum number of ids that an error names. */
const NAMED_IDS = 20
const NOW = 'now'

/** @throws {FsError} EROFS, ENOSPC; {InputError} for a label that is too long */
export async function makeCheckpoint(view: View, options: CheckpointOptions): Promise<Checkpoint> {
  refuseReadOnly(view, 'make a checkpoint of')
  checkLabel(options.label)
  // A view that holds locks must not wait for more locks: two of them could deadlock.
  const release = view.held.size > 0 ? undefined : await view.tree.locks.acquire([view.tree.rules.root])
  try {
    const checkpoint = await keep(view, options)
    await (await engineIn(view)).trim(view.tree.checkpointLimits)
    return checkpoint
  } finally {
    release?.()
  }
}

export async function listCheckpoints(view: View): Promise<readonly Checkpoint[]> {
  return (await engineIn(view)).list()
}

/** @throws {InputError} `no_match` */
export async function diffCheckpoints(view: View, from: string, to: string): Promise<TreeDiff> {
  const [before, after] = [await momentOf(view, from), await momentOf(view, to)]
  return new Diff(view, { before, after }, await (await engineIn(view)).diff(before, after, view.tree.host))
}

/**
 * Makes a checkpoint. With `reuse`, returns the newest one if nothing has changed since. `also` lists adapter paths that the checkpoint has
 * to contain. Drops no checkpoints.
 */
export async function keep(
  view: View,
  { label, reuse = false, scan = true }: CheckpointOptions,
  also?: readonly string[],
): Promise<Checkpoint> {
  const { checkpointLimits: limits, host } = view.tree
  const checkpoints = await engineIn(view)
  const last = reuse ? await checkpoints.reusable(also ? undefined : scan) : undefined
  if (last && (await stillHolds(view, checkpoints, last.id, also))) return last
  return checkpoints.make({ ...(label !== undefined && { label }), host, limits, scan })
}

/**
 * Whether the newest checkpoint still equals the tree. False for a damaged checkpoint: what has changed since is unknown, so the caller
 * makes a new checkpoint.
 */
async function stillHolds({ tree }: View, checkpoints: Engine, id: string, also: readonly string[] = []): Promise<boolean> {
  try {
    if ((await checkpoints.diff(id, undefined, tree.host, true)).length > 0) return false
    return !(await checkpoints.lacks?.(id, also))
  } catch (error) {
    if (hasCode(error, 'EIO', 'ESTALE')) return false
    throw error
  }
}

/** @throws {InputError} `no_match` */
export async function momentOf(view: View, id: string, orNow = true): Promise<Moment> {
  if (orNow && id === NOW) return undefined
  const engine = await engineIn(view)
  const all = await engine.list()
  const ids = all.map((checkpoint) => checkpoint.id)
  if (ids.includes(id)) return id
  const shown = ids.slice(-NAMED_IDS)
  const kept =
    ids.length === 0 ? 'no checkpoint exists' : `existing checkpoints: ${ids.length > shown.length ? '... ' : ''}${shown.join(', ')}`
  const lost = [...all.flatMap((checkpoint) => checkpoint.lost ?? []), ...(engine.lost?.() ?? [])]
  const why = lost.includes(id) ? `its data in "${RESERVED}" was removed; ` : ''
  throw new InputError('no_match', `There is no checkpoint "${id}": ${why}${kept}`, {
    details: { candidates: shown, hint: 'List the checkpoints, and use one of their ids.' },
  })
}

function checkLabel(label: string | undefined): void {
  if (label === undefined || label.length <= MAX_LABEL) return
  throw new InputError('invalid_input', `The label of a checkpoint has at most ${MAX_LABEL} characters, this one has ${label.length}`)
}

/** A read-only workspace cannot change, so it needs no checkpoints. Most read-only storages could not store them either. */
export function refuseReadOnly({ tree }: View, op: string): void {
  if (tree.policy.readOnly) throw new FsError({ code: 'EROFS', op, path: tree.rules.root })
}
