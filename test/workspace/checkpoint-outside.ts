import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FsAdapter, Workspace } from 'toolport'
import { expect } from 'vitest'
import fc from '../fast-check.js'
import { open } from './checkpoint-cases.js'

const FILES = ['a', 'b', 'c'] as const
const KEEP = 5

type File = (typeof FILES)[number]
type Command =
  | { readonly by: 'workspace' | 'another program'; readonly file: File; readonly text: string | undefined }
  | { readonly checkpoint: 'scan' | 'light' }
  | { readonly restore: number }
  | 'reopen'

/** A change of one file, with its content before the change, or another event without a file. */
type Event = { readonly at: 'change' | 'outside'; readonly file: File; readonly before: string | undefined } | { readonly at: string }

const file = fc.constantFrom(...FILES)
const text = fc.constantFrom('1', '2', '3', undefined)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ by: fc.constant('workspace' as const), file, text }) },
  { weight: 3, arbitrary: fc.record({ by: fc.constant('another program' as const), file, text }) },
  { weight: 2, arbitrary: fc.constant<Command>({ checkpoint: 'light' }) },
  { weight: 1, arbitrary: fc.constant<Command>({ checkpoint: 'scan' }) },
  { weight: 1, arbitrary: fc.nat(9).map((at): Command => ({ restore: at })) },
  { weight: 1, arbitrary: fc.constant<Command>('reopen') },
)

/**
 * Makes random changes by a workspace and by another program, and checkpoints. A checkpoint with a scan must have the exact state of the
 * directory. A checkpoint without a scan must have the previous content of each file that the workspace changed before the next scan. All
 * other files must have their state at that scan or, without a later scan, their current state.
 */
export async function randomOutside(root: () => string, make: () => FsAdapter, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 40, size: 'max' }), async (commands) => {
      for (const name of readdirSync(root())) rmSync(join(root(), name), { recursive: true })
      const run = new Run(root(), make)
      for (const one of commands) await run.step(one)
      await run.end()
    }),
    { numRuns },
  )
}

class Run {
  readonly #root: string
  readonly #make: () => FsAdapter
  #workspace: Workspace
  readonly #log: Event[] = []
  /** Checkpoint with a scan -> the files' contents. */
  readonly #scans = new Map<string, ReadonlyMap<File, string | undefined>>()

  constructor(root: string, make: () => FsAdapter) {
    this.#root = root
    this.#make = make
    this.#workspace = this.#open()
  }

  async step(command: Command): Promise<void> {
    if (command === 'reopen') {
      await this.#workspace.close()
      this.#workspace = this.#open()
    } else if ('checkpoint' in command) {
      const now = this.#now()
      const { id } = await this.#workspace.checkpoint({ scan: command.checkpoint === 'scan' })
      if (command.checkpoint === 'scan') this.#scans.set(id, now)
      this.#log.push({ at: id })
    } else if ('restore' in command) await this.#restore(command.restore)
    else await this.#change(command)
  }

  async end(): Promise<void> {
    const kept = await this.#workspace.checkpoints()
    for (const [i, { id }] of kept.entries()) {
      await this.#compare(id, 'now')
      for (const later of kept.slice(i + 1)) await this.#compare(id, later.id)
    }
    for (let i = 0; i < kept.length; i++) await this.#restore(i)
  }

  async #change({ by, file, text }: Extract<Command, { readonly by: string }>): Promise<void> {
    const before = this.#now().get(file)
    if (by === 'another program') {
      if (text !== undefined) writeFileSync(join(this.#root, file), text)
      else rmSync(join(this.#root, file), { force: true })
      this.#log.push({ at: 'outside', file, before })
    } else if (text !== undefined || before !== undefined) {
      await (text === undefined ? this.#workspace.remove(file) : this.#workspace.writeText(file, text))
      this.#log.push({ at: 'change', file, before })
    }
  }

  async #restore(at: number): Promise<void> {
    const kept = await this.#workspace.checkpoints()
    const id = kept[at % (kept.length || 1)]?.id
    if (id === undefined) return
    const [before, wanted] = [this.#now(), this.#stateAt(id)]
    const { checkpoint } = await this.#workspace.restore(id)
    expect(this.#now(), `restored ${id}`).toEqual(wanted)
    if (!this.#log.some((event) => event.at === checkpoint.id)) this.#log.push({ at: checkpoint.id })
    for (const one of FILES) {
      if (before.get(one) !== wanted.get(one)) this.#log.push({ at: 'change', file: one, before: before.get(one) })
    }
    expect(this.#stateAt(checkpoint.id)).toEqual(before)
  }

  async #compare(from: string, to: string): Promise<void> {
    const [before, after] = [this.#stateAt(from), to === 'now' ? this.#now() : this.#stateAt(to)]
    for (const [a, b, ids] of [
      [before, after, [from, to]],
      [after, before, [to, from]],
    ] as const) {
      const diff = await this.#workspace.diff(ids[0], ids[1])
      expect(
        diff.changes.map(({ path }) => path),
        `${ids}`,
      ).toEqual(FILES.filter((one) => a.get(one) !== b.get(one)).map((one) => `/workspace/${one}`))
      for (const { path, ...change } of diff.changes) {
        for (const [side, state] of [
          ['before', a],
          ['after', b],
        ] as const) {
          const held = change[side] && new TextDecoder().decode(await diff.read(path, side))
          expect(held).toBe(state.get(path.slice(-1) as File))
        }
      }
    }
  }

  #stateAt(id: string): ReadonlyMap<File, string | undefined> {
    const scanned = this.#scans.get(id)
    if (scanned) return scanned
    const later = this.#log.slice(this.#log.findIndex((event) => event.at === id) + 1)
    const end = later.findIndex((event) => this.#scans.has(event.at))
    const base = end === -1 ? this.#now() : (this.#scans.get((later[end] as Event).at) as ReadonlyMap<File, string | undefined>)
    const own = end === -1 ? later : later.slice(0, end)
    const first = (one: File) => own.find((event) => event.at === 'change' && 'file' in event && event.file === one)
    return new Map(
      FILES.map((one) => {
        const event = first(one)
        return [one, event && 'before' in event ? event.before : base.get(one)]
      }),
    )
  }

  #now(): ReadonlyMap<File, string | undefined> {
    const read = (one: File): string | undefined => {
      const path = join(this.#root, one)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    }
    return new Map(FILES.map((one) => [one, read(one)]))
  }

  #open(): Workspace {
    return open(this.#make(), { checkpoints: { keep: KEEP } })
  }
}
