import { type Checkpoint, createWorkspace, systemHost, type TreeDiff } from 'toolport'
import { plural } from '../format.js'
import { ignoreMissing } from '../missing.js'
import { createPace } from '../pace.js'
import { KEPT_CHECKPOINTS, type Session, type Workspace } from '../session.js'
import { bring, inRuns, keepExecutable } from './bring.js'
import type { Task } from './task-bar.js'

/** Maximum number of rounds that copy concurrent changes. `finish` copies what still running programs change after that. */
const ROUNDS = 10
/** Grace period for the last writes of stopped work, milliseconds. */
const LAST_WRITES_MS = 30
/** Maximum length of a checkpoint's label, characters. */
const LONGEST_LABEL = 200

/** What is copied: the files, and the checkpoints with their names from the timeline. */
export type Original = Pick<Session, 'workspace' | 'checkpoints' | 'settle'>

export interface Copy {
  /** Copies the changes since the last copy, even after the signal has aborted. Returns whether anything changed. */
  follow(): Promise<boolean>
  /** Stops all work in the original and copies its last changes. Returns whether anything changed. */
  finish(): Promise<boolean>
  /** Checkpoint id of the original -> checkpoint of the copy. Grows with `follow`; empty without a history. */
  readonly moments: ReadonlyMap<string, Checkpoint>
}

export interface CopyOptions extends Partial<Task> {
  /** Copies the checkpoints with their names and times. Default: true. */
  readonly history?: boolean
  /** Number of oldest checkpoints to skip. Default: 0. */
  readonly leaveOut?: number
}

/** The checkpoints could not be copied; the message says why. Copying the files alone may still work. */
export class HistoryError extends Error {}

/**
 * Copies a workspace into an empty one. Skips what the target's storage cannot store (links, permission bits). Replays the history: first
 * the state at the first checkpoint, then each later checkpoint, then the current state.
 *
 * @throws the signal's reason
 * @throws {HistoryError} if `history` is set and the checkpoints cannot be copied
 */
export async function copyWorkspace(original: Original, to: Workspace, options: CopyOptions = {}): Promise<Copy> {
  const { workspace: from, checkpoints } = original
  const { tell, history = true, leaveOut = 0 } = options
  const pace = createPace()
  // Cleared once the copy is complete, because `follow` and `finish` ignore the signal.
  let { signal } = options
  const guarded = <T>(work: Promise<T>): Promise<T> => (history ? asHistory(work, signal) : work)
  const keeper = createKeeper(to)
  let last: Checkpoint

  async function begin(): Promise<void> {
    const start = await moment(from)
    last = (history && (await checkpoints())[leaveOut]) || start
    const since = await guarded(from.diff(last.id, start.id))
    const except = othersIn(since)
    await copyTree(from, to, except, options)
    // Changes made during the copy may be included or not, so the affected paths are copied again.
    const meanwhile = await from.diff(start.id, (await moment(from)).id)
    await bring(to, from, meanwhile, 'before', { except, signal })
    await guarded(bring(to, from, since, 'before', { signal }))
    if (history) await guarded(keeper.keep(last))
  }

  async function step(next: Checkpoint): Promise<void> {
    await bring(to, from, await from.diff(last.id, next.id), 'after', { signal })
    if (history) await keeper.keep(next)
    last = next
  }

  async function follow(): Promise<boolean> {
    const now = await moment(from)
    const later = (await checkpoints()).filter(({ id }) => numberOf(id) > numberOf(last.id))
    const steps = history ? later : later.filter(({ id }) => id === now.id)
    for (const [at, next] of steps.entries()) {
      if (steps.length > 1) tell?.(`moment ${at + 1} of ${steps.length}`)
      await guarded(step(next))
      await pace()
    }
    return steps.length > 0
  }

  async function finish(): Promise<boolean> {
    await original.settle()
    for (let round = 0; round < ROUNDS; round++) {
      await new Promise((resolve) => setTimeout(resolve, LAST_WRITES_MS))
      if (!(await follow())) return round > 0
    }
    return true
  }

  await begin()
  // Running programs may change files meanwhile.
  for (let round = 0; round < ROUNDS && (await follow()); round++) signal?.throwIfAborted()
  signal = undefined
  return { follow, finish, moments: keeper.moments }
}

/** Creates checkpoints in the copy with the names and times of the original's. */
function createKeeper({ fs }: Workspace): { keep(one: Checkpoint): Promise<void>; readonly moments: ReadonlyMap<string, Checkpoint> } {
  const moments = new Map<string, Checkpoint>()
  let time = 0
  // Uses a separate workspace on the same storage, in order to set its clock.
  const workspace = createWorkspace({ fs, host: { ...systemHost, now: () => time }, checkpoints: { keep: KEPT_CHECKPOINTS } })
  return {
    moments,
    async keep({ id, label, time: then }) {
      time = then
      moments.set(id, await workspace.checkpoint(label === undefined ? {} : { label: label.slice(0, LONGEST_LABEL) }))
    },
  }
}

function asHistory<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return work.catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new HistoryError(error instanceof Error ? error.message : String(error), { cause: error })
  })
}

/** All changed paths, except directories that already were directories. */
function othersIn({ changes }: TreeDiff): ReadonlySet<string> {
  return new Set(changes.filter(({ before, after }) => before?.kind !== 'dir' || after?.kind !== 'dir').map(({ path }) => path))
}

async function copyTree(from: Workspace, to: Workspace, except: ReadonlySet<string>, { signal, tell }: CopyOptions): Promise<void> {
  let files = 0
  for await (const run of from.walk(from.root, { ignore: false })) {
    const wanted = run.filter(({ path }) => !except.has(path))
    const others = wanted.filter(({ kind }) => kind !== 'dir')
    await Promise.all(wanted.filter(({ kind }) => kind === 'dir').map(({ path }) => to.mkdir(from.relative(path))))
    await inRuns(others, async ({ path, kind }) => copyEntry(from, to, path, kind), {
      signal,
      onRun(count) {
        files += count
        tell?.(plural(files, 'file'))
      },
    })
  }
}

async function copyEntry(from: Workspace, to: Workspace, path: string, kind: string): Promise<void> {
  const place = from.relative(path)
  try {
    if (kind === 'file') await copyFile(from, to, path, place)
    else if (to.fs.symlink) await to.symlink(await from.readlink(path), place)
  } catch (error) {
    // The entry was deleted meanwhile; the next comparison handles that.
    ignoreMissing(error)
  }
}

async function copyFile(from: Workspace, to: Workspace, path: string, place: string): Promise<void> {
  const { bytes } = await from.readBytes(path)
  await to.writeBytes(place, bytes)
  await keepExecutable(to, place, (await from.lstat(path)).mode)
}

const moment = (workspace: Workspace): Promise<Checkpoint> => workspace.checkpoint({ label: 'Before it was copied', reuse: true })

/** The number in a checkpoint's id. */
const numberOf = (id: string): number => Number(id.slice(1))
