import type { FsAdapter, Workspace } from 'toolport'
import { expect } from 'vitest'
import fc from '../fast-check.js'
import { open, signs, treeOf } from './checkpoint-cases.js'

type Step = (workspace: Workspace) => Promise<unknown>

/** Opens the storage again between two steps, or returns it unchanged. */
export type Reopen = (fs: FsAdapter) => FsAdapter | Promise<FsAdapter>

interface Command {
  readonly title: string
  readonly run: Step | 'checkpoint' | 'light' | 'reopen' | { readonly restore: number }
}

const KEEP = 4

const name = fc.constantFrom('a', 'b', 'c')
const path = fc.oneof(
  name,
  fc.tuple(name, name).map((parts) => parts.join('/')),
  fc.tuple(name, name, name).map((parts) => parts.join('/')),
)
const text = fc.constantFrom('', '1', '2', 'x'.repeat(40))

/** Random calls. Calls that are rejected, because something is in their way, change nothing. */
const command = (links: boolean, modes: boolean): fc.Arbitrary<Command> => {
  const one = (title: string, run: Step): Command => ({ title, run })
  const write = fc.tuple(path, text).map(([at, what]) => one(`write ${at} ${what.length}`, (to) => to.writeText(at, what)))
  const append = fc.tuple(path, text).map(([at, what]) => one(`append ${at}`, (to) => to.writeText(at, what, { mode: 'append' })))
  const mkdir = path.map((at) => one(`mkdir ${at}`, (to) => to.mkdir(at)))
  const remove = path.map((at) => one(`remove ${at}`, (to) => to.remove(at, { recursive: true })))
  const move = fc.tuple(path, path).map(([a, b]) => one(`move ${a} ${b}`, (to) => to.move(a, b, { overwrite: true })))
  const copy = fc.tuple(path, path).map(([a, b]) => one(`copy ${a} ${b}`, (to) => to.copy(a, b, { overwrite: true })))
  const link = fc.tuple(path, path).map(([a, b]) => one(`link ${a} ${b}`, (to) => to.symlink(a, b)))
  const chmod = fc
    .tuple(path, fc.constantFrom(0o755, 0o640, 0o700))
    .map(([at, mode]) => one(`chmod ${at}`, (to) => to.setMeta(at, { mode })))
  return fc.oneof(
    { weight: 6, arbitrary: write },
    { weight: 2, arbitrary: append },
    { weight: 3, arbitrary: mkdir },
    { weight: 3, arbitrary: remove },
    { weight: 6, arbitrary: move },
    { weight: 2, arbitrary: copy },
    ...(links ? [{ weight: 1, arbitrary: link }] : []),
    ...(modes ? [{ weight: 1, arbitrary: chmod }] : []),
    { weight: 3, arbitrary: fc.constant<Command>({ title: 'checkpoint', run: 'checkpoint' }) },
    { weight: 3, arbitrary: fc.constant<Command>({ title: 'checkpoint without a scan', run: 'light' }) },
    { weight: 2, arbitrary: fc.nat(9).map((at): Command => ({ title: `restore ${at}`, run: { restore: at } })) },
    { weight: 2, arbitrary: fc.constant<Command>({ title: 'reopen', run: 'reopen' }) },
  )
}

/** Creates a tree first, because most calls would otherwise fail. */
const PREAMBLE: readonly Command[] = [
  { title: 'fill', run: (to) => Promise.all([to.writeText('a/b/c', '1'), to.writeText('b/a', '2'), to.mkdir('c/a/b')]) },
  { title: 'checkpoint', run: 'checkpoint' },
]

/** Random calls, checkpoints, restores and reopenings. Every checkpoint that still exists must have its tree. */
export async function randomCheckpoints(make: () => FsAdapter | Promise<FsAdapter>, reopen: Reopen, numRuns: number): Promise<void> {
  const { symlink, can } = await make()
  const commands = fc.array(command(symlink !== undefined, can.mode), { minLength: 1, maxLength: 30, size: 'max' })
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const run = new Run(await make(), reopen)
      for (const step of PREAMBLE) await run.step(step)
      for (const step of steps) await run.step(step)
      await run.end()
    }),
    { numRuns },
  )
}

class Run {
  #workspace: Workspace
  readonly #reopen: Reopen
  readonly #trees = new Map<string, Record<string, string>>()

  constructor(fs: FsAdapter, reopen: Reopen) {
    this.#workspace = this.#open(fs)
    this.#reopen = reopen
  }

  async step({ run }: Command): Promise<void> {
    if (run === 'reopen') this.#workspace = this.#open(await this.#reopen(this.#workspace.fs))
    else if (run === 'checkpoint' || run === 'light') {
      const tree = await treeOf(this.#workspace)
      const { id } = await this.#workspace.checkpoint({ scan: run === 'checkpoint' })
      expect([...this.#trees.keys()]).not.toContain(id)
      this.#trees.set(id, tree)
    } else if (typeof run === 'function') await run(this.#workspace).catch(isRefusal)
    else await this.#restore(run.restore)
  }

  async end(): Promise<void> {
    const kept = await this.#workspace.checkpoints()
    const now = await treeOf(this.#workspace)
    for (const { id } of kept) {
      await this.#compare(id, 'now', this.#trees.get(id), now)
      await this.#compare('now', id, now, this.#trees.get(id))
    }
    for (const [i, { id }] of kept.entries()) {
      const next = kept[i + 1]?.id
      if (next) await this.#compare(id, next, this.#trees.get(id), this.#trees.get(next))
    }
    for (let i = 0; i < kept.length; i++) await this.#restore(i)
  }

  async #restore(at: number): Promise<void> {
    const kept = await this.#workspace.checkpoints()
    const id = kept[at % (kept.length || 1)]?.id
    if (id === undefined) return
    const before = await treeOf(this.#workspace)
    const { checkpoint } = await this.#workspace.restore(id)
    expect(await treeOf(this.#workspace)).toEqual(this.#trees.get(id))
    if (this.#trees.has(checkpoint.id)) expect(this.#trees.get(checkpoint.id)).toEqual(before)
    this.#trees.set(checkpoint.id, before)
  }

  /** The diff must list all differences between the trees, with their contents. */
  async #compare(from: string, to: string, before: Record<string, string> = {}, after: Record<string, string> = {}): Promise<void> {
    const diff = await this.#workspace.diff(from, to)
    const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((at) => before[at] !== after[at]).sort()
    const sign = (at: string): string => (before[at] === undefined ? '+' : after[at] === undefined ? '-' : '*')
    expect(signs(diff.changes)).toEqual(paths.map((at) => `${sign(at)} ${at}`))
    for (const change of diff.changes) {
      for (const side of ['before', 'after'] as const) {
        if (change[side]?.kind !== 'file') continue
        const bytes = await diff.read(change.path, side)
        expect((side === 'before' ? before : after)[change.path]?.split(' ')[0]).toBe([...bytes].join())
        expect(change[side]?.size).toBe(bytes.length)
      }
    }
  }

  #open(fs: FsAdapter): Workspace {
    return open(fs, { checkpoints: { keep: KEEP } })
  }
}

function isRefusal(error: unknown): void {
  if (!(error instanceof Error) || !['FsError', 'WorkspaceError'].includes(error.name)) throw error
}
