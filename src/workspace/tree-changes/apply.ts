import { FsError, hasCode } from '../../errors/index.js'
import type { TreeChange } from '../../types/checkpoint.js'
import { parentPath } from '../paths.js'
import { freeName } from '../rename-into-place.js'
import { Slicer } from '../slicer.js'
import type { View } from '../state.js'
import { type Plan, planChanges, type Step, weight } from './plan.js'
import { type Contents, lookUp, makeStep, setMode, undoMode, undoStep } from './steps.js'

/** Estimated cost of a step, in microseconds. */
const STEP_COST = 32

/** Codes with which a storage rejects an operation before it changes anything. */
const REFUSALS = [
  'ENOENT',
  'EEXIST',
  'EISDIR',
  'ENOTDIR',
  'ENOTEMPTY',
  'EINVAL',
  'EACCES',
  'EROFS',
  'ENOTSUP',
  'EFBIG',
  'ELOOP',
  'EBUSY',
  'ESTALE',
] as const

export interface ChangesToApply extends Contents {
  /** Virtual paths, each once, in any order. */
  readonly changes: readonly TreeChange[]
}

interface ApplyOptions {
  /** An abort has no effect after the first change. */
  readonly signal?: AbortSignal
  /** Called for each path that was restored after a failure. The path's version may differ from the earlier one. */
  readonly onUndone?: ((path: string) => void) | undefined
}

/**
 * Changes each path to its `after`. The caller holds the locks of all paths, and `before` is the current state.
 *
 * Checks policy, quotas and sizes before the first change. An abort has an effect only until then. Writes new content before it removes old
 * entries, except where an old entry is in the way. If a step fails, undoes the earlier steps. Creates missing parents. Sets permission
 * bits if the storage stores them, but no times.
 *
 * @returns directories that the changes should have removed. They stay, because they contain other entries
 * @throws the error of the step; {FsError} EIO, naming the paths, if undoing fails too
 */
export async function applyChanges(
  view: View,
  diff: ChangesToApply,
  op: string,
  { signal, onUndone }: ApplyOptions = {},
): Promise<readonly string[]> {
  const plan = await planChanges(view, diff.changes, op, signal)
  const work = new Work(view, diff, op, onUndone)
  await view.tree.quota.spend(
    plan.need,
    () => work.run(plan),
    () => work.changed,
  )
  return work.kept
}

interface Done {
  readonly path: string
  readonly step: Step
  readonly undo: () => Promise<void>
}

/**
 * Groups removals by the new entry that they make way for. Each group runs right before its new entry is created, so a crash leaves few
 * paths empty.
 */
function bySwap(clearing: readonly Step[], putting: readonly Step[]): { readonly first: Step[]; readonly swaps: Map<string, Step[]> } {
  const cleared = new Set(clearing.map(({ path }) => path))
  const swaps = new Map<string, Step[]>(putting.filter(({ path }) => cleared.has(path)).map(({ path }) => [path, []]))
  const first: Step[] = []
  for (const step of clearing) {
    let at = step.path
    while (at !== '/' && !swaps.has(at)) at = parentPath(at)
    ;(swaps.get(at) ?? first).push(step)
  }
  return { first, swaps }
}

class Work {
  readonly kept: string[] = []
  /** Net change of the storage so far, to correct the quota after a failure. */
  readonly changed = { bytes: 0, files: 0 }
  readonly #view: View
  readonly #contents: Contents
  readonly #op: string
  readonly #slicer: Slicer
  readonly #onUndone: ApplyOptions['onUndone']
  readonly #done: Done[] = []
  /** Temporary path of each old entry -> original path. */
  readonly #aside = new Map<string, string>()

  constructor(view: View, contents: Contents, op: string, onUndone: ApplyOptions['onUndone']) {
    this.#onUndone = onUndone
    this.#view = view
    this.#contents = contents
    this.#op = op
    this.#slicer = new Slicer(view.tree.host)
  }

  async run(plan: Plan): Promise<void> {
    try {
      await this.#steps(plan)
    } catch (error) {
      await this.#undoAll(error)
      throw error
    }
  }

  async #steps({ opening, clearing, putting, removing, modes }: Plan): Promise<void> {
    await this.#setModes(opening)
    const cleared = new Set(clearing.map(({ path }) => path))
    const clear = (step: Step): Promise<void> => (step.from?.kind === 'dir' ? this.#make(step) : this.#setAside(step, cleared))
    const { first, swaps } = bySwap(clearing, putting)
    for (const step of first) await clear(step)
    let removed = false
    for (const step of putting) {
      for (const one of swaps.get(step.path) ?? []) await clear(one)
      try {
        await this.#make(step)
      } catch (error) {
        if (removed || !hasCode(error, 'ENOSPC')) throw error
        // The storage itself is full: remove the old entries first, then try again.
        await this.#undoLast(error)
        removed = true
        await this.#removeAside()
        await this.#remove(removing)
        await this.#make(step)
      }
    }
    if (!removed) await this.#remove(removing)
    await this.#setModes(modes)
    await this.#removeAside()
  }

  /**
   * Gives an entry that is in the way of a new directory a temporary name, until all steps are done. After a crash, the temporary name
   * remains.
   */
  async #setAside(step: Step, cleared: ReadonlySet<string>): Promise<void> {
    const { fs, host } = this.#view.tree
    let folder = parentPath(step.path)
    while (cleared.has(folder)) folder = parentPath(folder)
    const aside = await freeName(folder, host, (path) => fs.lstat(path))
    const { before } = await this.#kept(step)
    this.#aside.set(aside, step.path)
    await this.#perform(
      step,
      () => fs.rename(step.path, aside),
      async () => {
        if ((await lookUp(fs, aside)) && !(await lookUp(fs, step.path))) await fs.rename(aside, step.path)
        else await undoStep(this.#view.tree, step, before)
      },
    )
  }

  async #removeAside(): Promise<void> {
    for (const path of this.#aside.keys()) {
      await this.#view.tree.fs.unlink(path)
      this.#aside.delete(path)
    }
  }

  async #remove(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        await this.#make(step)
      } catch (error) {
        if (step.from?.kind !== 'dir' || !hasCode(error, 'ENOTEMPTY')) throw error
        this.kept.push(step.path)
      }
    }
  }

  async #setModes(steps: readonly Step[]): Promise<void> {
    const { adapter } = this.#view.tree.fs
    if (!adapter.can.mode || !adapter.setMeta) return
    for (const step of steps) {
      const before = await this.#view.tree.fs.lstat(step.path)
      if (before.mode === step.to?.mode) continue
      const unweighted = { path: step.path }
      await this.#perform(
        unweighted,
        () => setMode(this.#view.tree.fs, step),
        () => undoMode(this.#view.tree.fs, step.path, before.mode),
      )
    }
  }

  async #make(step: Step): Promise<void> {
    const { tree } = this.#view
    const { old, before } = await this.#kept(step)
    await this.#perform(
      step,
      () => makeStep(tree, step, this.#contents, old),
      () => undoStep(tree, step, before),
    )
  }

  /** Reads the old content of a file, to undo the step. */
  async #kept({ path, from }: Step): Promise<{ readonly old: Uint8Array | undefined; readonly before: () => Promise<Uint8Array> }> {
    const { readBefore } = this.#contents
    const old = from?.kind === 'file' && !readBefore ? await this.#view.tree.fs.read(path) : undefined
    return { old, before: async () => old ?? (await readBefore?.(path)) ?? new Uint8Array(0) }
  }

  async #perform(step: Step, make: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
    // Record the undo step first, because a failed step may have changed something.
    this.#note({ path: step.path, step, undo }, 1)
    try {
      await make()
    } catch (error) {
      if (hasCode(error, ...REFUSALS)) this.#note(this.#done.pop() as Done, -1)
      throw error
    }
    if (this.#slicer.due(STEP_COST)) await this.#slicer.pause()
  }

  #note(done: Done, sign: 1 | -1): void {
    const { bytes, files } = weight(done.step)
    this.changed.bytes += sign * bytes
    this.changed.files += sign * files
    if (sign === 1) this.#done.push(done)
  }

  /** @throws {FsError} EIO, naming the paths that it could not restore */
  async #undoLast(cause: unknown): Promise<void> {
    const stuck: string[] = []
    const last = this.#done.pop()
    if (last) await this.#undo(last, stuck)
    this.#tell(stuck, cause)
  }

  async #undoAll(cause: unknown): Promise<void> {
    const stuck: string[] = []
    for (let last = this.#done.pop(); last; last = this.#done.pop()) await this.#undo(last, stuck)
    for (const path of this.#aside.keys()) if (await lookUp(this.#view.tree.fs, path).catch(() => true)) stuck.push(path)
    this.#tell(stuck, cause)
  }

  async #undo(done: Done, stuck: string[]): Promise<void> {
    try {
      await done.undo()
      this.#note(done, -1)
      this.#onUndone?.(done.path)
    } catch {
      if (!stuck.includes(done.path)) stuck.push(done.path)
    }
  }

  #tell(stuck: readonly string[], cause: unknown): void {
    const [path] = stuck
    if (path === undefined) return
    const why = cause instanceof Error ? cause.message : String(cause)
    const names = stuck.map((name) => {
      const from = this.#aside.get(name)
      return from === undefined ? `"${name}"` : `"${name}" (what was at "${from}")`
    })
    const detail = `it failed (${why}), and restoring the old entries failed too: check ${names.join(', ')}`
    throw new FsError({ code: 'EIO', op: `undo (${this.#op})`, path, detail, cause })
  }
}
