import { FsError, hasCode } from '../../../errors/index.js'
import { createLimit, forEachLimited } from '../../../ops/concurrency.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../../types/fs.js'
import type { Host } from '../../../types/host.js'
import {
  type Difference,
  dropped,
  type Engine,
  isBefore,
  type Moment,
  type NewCheckpoint,
  numberOf,
  type Recorder,
  reversed,
} from '../engine.js'
import { listIfAny } from '../folders.js'
import { type Base, type Below, Present } from './current-tree.js'
import { FOLDER, folderOf, heldBy, makeFolder, readFolders, removeFolder } from './folder.js'
import { History } from './history.js'
import { JournalRecorder } from './recording.js'
import { Segment } from './segment.js'
import { subtree } from './subtree.js'

/** Folders to read concurrently. */
const AT_ONCE = 8

/** A checkpoint folder to remove later. The checkpoint was dropped, or its creation did not finish. */
interface Leftover {
  readonly path: string
  readonly names: Iterable<string>
  readonly held: FsUsage
}

export interface JournalOptions {
  /** Lists a path and everything below it. Default: all entries in the storage. */
  readonly below?: Below
  /** Whether to flush each image before its change starts. It has no effect on a storage that is `durableOnAck`. Default true. */
  readonly flushes?: boolean
  /** Called before the first checkpoint. */
  readonly prepare?: () => Promise<unknown>
}

/** A range of checkpoints: those with numbers below `until` (default: all), on top of `base` (default: the current tree). */
export interface Run {
  readonly until?: number
  readonly base?: Base
}

interface Loaded {
  /** Oldest first. */
  readonly segments: Segment[]
  leftovers: Leftover[]
  /** Ids of checkpoints that another program removed, until the record of a later checkpoint lists them. */
  lost: string[]
  /** The highest number of any id so far. */
  last: number
}

/**
 * Checkpoints for persistent storages. Before a path changes for the first time since the newest checkpoint, the engine records the old
 * state of the path. Before the first checkpoint, it records nothing. A crash at any point loses nothing: the change starts after its
 * record is complete, so an incomplete record is ignored.
 */
export class JournalEngine implements Engine {
  readonly recorder: Recorder
  readonly #fs: FsAdapter
  readonly #below: Below
  readonly #flushes: boolean
  readonly #prepare: JournalOptions['prepare']
  #loading: Promise<Loaded> | undefined
  #loaded: Loaded | undefined
  /** Number of the last id before `forget`. Later ids continue from this number. */
  #forgotten = 0
  #removing: Promise<void> = Promise.resolve()
  /** Serialises `make`, `trim` and `drop`. */
  readonly #inTurn = createLimit(1)

  constructor(fs: FsAdapter, { below = subtree, flushes = true, prepare }: JournalOptions = {}) {
    this.#fs = fs
    this.#below = below
    this.#prepare = prepare
    this.#flushes = flushes && !fs.can.durableOnAck
    const newest = {
      now: () => this.#loaded && { segment: this.#loaded.segments.at(-1) },
      load: () => this.#load(),
      isGone: async (segment: Segment) => !(await this.#present()).segments.includes(segment),
    }
    this.recorder = new JournalRecorder(fs, newest, below)
  }

  async list(): Promise<readonly Checkpoint[]> {
    const { segments } = await this.#whole()
    // The caller may use the id of a listed checkpoint later, so store its record.
    await segments.at(-1)?.say()
    return segments.map(({ checkpoint }) => checkpoint)
  }

  async reusable(): Promise<Checkpoint | undefined> {
    return (await this.#present()).segments.at(-1)?.checkpoint
  }

  make(wanted: NewCheckpoint): Promise<Checkpoint> {
    // Retry once: another program may have removed the folder.
    return this.#inTurn(() =>
      this.#make(wanted).catch(async (error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
        await this.#present()
        return this.#make(wanted)
      }),
    )
  }

  async #make({ label, host, scan, above = 0, lost: others = [] }: NewCheckpoint): Promise<Checkpoint> {
    // A checkpoint without `scan` is made before every call. To stay cheap, it does not look for removed checkpoints; `list` does.
    const loaded = await (scan ? this.#present() : this.#load())
    const lost = [...loaded.lost, ...others]
    loaded.last = Math.max(loaded.last, above) + 1
    const id = `c${loaded.last}`
    const checkpoint = { id, ...(label !== undefined && { label }), time: host.now(), ...(lost.length > 0 && { lost }) }
    const newest = loaded.segments.at(-1)
    if (!newest) await this.#prepare?.()
    const previous = newest && { id: newest.checkpoint.id, last: newest.last }
    try {
      await newest?.say()
      const segment = new Segment(this.#fs, await makeFolder(this.#fs, checkpoint, previous), checkpoint, this.#flushes)
      if (scan) await segment.say()
      loaded.segments.push(segment)
    } catch (error) {
      // The folder is incomplete and is not a checkpoint: a later `trim` or `drop` removes it.
      loaded.leftovers.push({ path: folderOf(checkpoint.id), names: [], held: { bytes: 0, files: 0 } })
      throw error
    }
    loaded.lost = loaded.lost.filter((one) => !lost.includes(one))
    return checkpoint
  }

  trim({ keep, bytes }: Required<CheckpointLimits>): Promise<void> {
    return this.#inTurn(async () => {
      const loaded = await this.#present()
      const { segments } = loaded
      while (segments.length > 1 && (segments.length > keep || total(segments).bytes > bytes)) drop(loaded)
      await this.#removeLeftovers(loaded)
    })
  }

  /** Drops the oldest checkpoint. Its files are removed in the background; `removed` waits for that. */
  drop(): Promise<void> {
    return this.#inTurn(async () => {
      const loaded = await this.#load()
      if (loaded.segments.length > 0) drop(loaded)
      this.#removing = this.#removing.then(() => this.#removeLeftovers(loaded))
    })
  }

  /** False if some files of dropped checkpoints could not be removed. */
  async removed(): Promise<boolean> {
    await this.#removing
    return this.#loaded?.leftovers.length === 0
  }

  /** Drops all checkpoints with a number below `until` and reports them as lost, because their base was removed. */
  async lose(until: number): Promise<void> {
    const loaded = await this.#load()
    const kept = loaded.segments.findIndex(({ checkpoint }) => numberOf(checkpoint.id) >= until)
    lose(loaded, kept === -1 ? loaded.segments.length : kept, () => true)
  }

  lost(): readonly string[] {
    return this.#loaded?.lost ?? []
  }

  /** Clears the lost ids after another engine's checkpoint has recorded them. */
  toldLost(): void {
    if (this.#loaded) this.#loaded.lost = []
  }

  /** Number of known checkpoints. */
  get count(): number {
    return this.#loaded?.segments.length ?? 0
  }

  /** The oldest known checkpoint. */
  get oldest(): Checkpoint | undefined {
    return this.#loaded?.segments[0]?.checkpoint
  }

  /** The newest known checkpoint. */
  get newest(): Checkpoint | undefined {
    return this.#loaded?.segments.at(-1)?.checkpoint
  }

  /** Whether a change was recorded since the newest checkpoint. */
  get isRecording(): boolean {
    return (this.#loaded?.segments.at(-1)?.last ?? 0) > 0
  }

  /** Number of the last id. */
  get last(): number {
    return this.#loaded?.last ?? 0
  }

  /** Space used by the known checkpoints. */
  get bytes(): number {
    return total(this.#loaded?.segments ?? []).bytes
  }

  async diff(from: Moment, to: Moment, host: Host, first = false): Promise<readonly Difference[]> {
    if (from === to) return []
    if (isBefore(from, to)) return this.compare(from as string, to, host, { first })
    return reversed(await this.compare(to as string, from, host, { first }))
  }

  /** Differences from a checkpoint to a later one; without `to`, to the base (default: the current tree). */
  async compare(
    from: string,
    to: Moment,
    host: Host,
    { first = false, ...run }: Run & { readonly first?: boolean },
  ): Promise<Difference[]> {
    const { segments } = await this.#whole(from)
    return this.#history(segments, run).compare(segmentOf(segments, from), to === undefined ? to : segmentOf(segments, to), host, first)
  }

  async stat(at: string, path: string, run: Run = {}): Promise<EntryImage | undefined> {
    const { segments } = await this.#load()
    return this.#history(segments, run).stat(segmentOf(segments, at), path)
  }

  /** Whether an image in the journal has the state of a path, so that the base is not needed. */
  async knows(at: string, path: string, run: Run): Promise<boolean> {
    const { segments } = await this.#load()
    return this.#history(segments, run).knows(segmentOf(segments, at), path)
  }

  async read(at: string, path: string, run: Run = {}): Promise<Uint8Array> {
    const { segments } = await this.#load()
    const bytes = await this.#history(segments, run).read(segmentOf(segments, at), path)
    if (!bytes) throw new FsError({ code: 'ENOENT', op: 'read', path })
    return bytes
  }

  #history(segments: readonly Segment[], { until = Infinity, base }: Run): History {
    const own = until === Infinity ? segments : segments.filter(({ checkpoint }) => numberOf(checkpoint.id) < until)
    return new History(own, () => base ?? new Present(this.#fs, this.#below))
  }

  async held(): Promise<FsUsage> {
    await this.#inTurn(async () => undefined)
    const { segments, leftovers } = await this.#load()
    for (const segment of [...segments]) await segment.settled()
    const { bytes, files } = total([...segments, ...leftovers])
    // The two parent folders of the checkpoints count too.
    return { bytes, files: files === 0 ? 0 : files + 2 }
  }

  /** Forgets all checkpoints and stops recording for them. Later ids continue from the last id. */
  forget(): void {
    const { segments = [], last = this.#forgotten } = this.#loaded ?? {}
    for (const segment of segments) segment.drop()
    this.#forgotten = last
    this.#loaded = undefined
    this.#loading = undefined
  }

  /** Loads once; tries again after a failure. */
  #load(): Promise<Loaded> {
    if (this.#loading) return this.#loading
    const loading: Promise<Loaded> = this.#read().then(
      (loaded) => {
        // Keep the result only if `forget` did not run meanwhile.
        if (this.#loading === loading) this.#loaded = loaded
        return loaded
      },
      (error: unknown) => {
        if (this.#loading === loading) this.#loading = undefined
        throw error
      },
    )
    this.#loading = loading
    return loading
  }

  /** Drops checkpoints that another program removed, and all older checkpoints, which need the removed images. */
  async #present(): Promise<Loaded> {
    const loaded = await this.#load()
    const { segments } = loaded
    const known = new Set(segments)
    if (known.size === 0) return loaded
    const there = new Set((await listIfAny(this.#fs, FOLDER)).map(({ name }) => name))
    // Checkpoints that were made during the listing may be missing in it, so only those known before count.
    const last = segments.findLastIndex((segment) => known.has(segment) && !there.has(segment.checkpoint.id))
    lose(loaded, last + 1, (id) => there.has(id))
    return loaded
  }

  /** Like `#present`, but also drops checkpoints with missing files. With `from`, checks only the files of that and later checkpoints. */
  async #whole(from?: string): Promise<Loaded> {
    const loaded = await (from === undefined ? this.#present() : this.#load())
    const broken = new Set<Segment>()
    const needed = loaded.segments.filter(({ checkpoint }) => from === undefined || !isBefore(checkpoint.id, from))
    await forEachLimited(needed, AT_ONCE, async (segment) => {
      if (!(await segment.isWhole())) broken.add(segment)
    })
    lose(loaded, loaded.segments.findLastIndex((segment) => broken.has(segment)) + 1, () => true)
    return loaded
  }

  async #read(): Promise<Loaded> {
    const loaded: Loaded = { segments: [], leftovers: [], lost: [], last: this.#forgotten }
    for (const folder of await readFolders(this.#fs)) {
      loaded.last = numberOf(folder.id)
      const segment = folder.checkpoint && new Segment(this.#fs, folder, folder.checkpoint, this.#flushes)
      if (segment) {
        const before = loaded.segments.at(-1)
        const { after, lastBefore = 0 } = folder
        if (before && after !== undefined && (after !== before.checkpoint.id || before.last < lastBefore)) {
          lose(loaded, loaded.segments.length, () => true)
          if (after !== before.checkpoint.id) loaded.lost.push(after)
        }
        loaded.segments.push(segment)
      } else loaded.leftovers.push({ path: folder.path, names: [...folder.sizes.keys()], held: heldBy(folder.sizes) })
    }
    return loaded
  }

  /** Removes the leftover folders. Those that cannot be removed stay for the next attempt. */
  async #removeLeftovers(loaded: Loaded): Promise<void> {
    for (const leftover of [...loaded.leftovers]) {
      const removed = await removeFolder(this.#fs, leftover.path, leftover.names, this.#flushes).then(
        () => true,
        () => false,
      )
      if (removed) loaded.leftovers = loaded.leftovers.filter((other) => other !== leftover)
    }
  }
}

/** Drops the oldest `count` checkpoints and reports them as lost. Folders that still exist become leftovers. */
function lose({ segments, lost, leftovers }: Loaded, count: number, isThere: (id: string) => boolean): void {
  for (const segment of segments.splice(0, count)) {
    const { id } = segment.checkpoint
    segment.drop()
    lost.push(id)
    if (isThere(id)) leftovers.push(segment)
  }
}

function drop({ segments, leftovers }: Loaded): void {
  const segment = segments.shift() as Segment
  segment.drop()
  leftovers.push(segment)
}

function segmentOf(segments: readonly Segment[], id: string): Segment {
  const segment = segments.find(({ checkpoint }) => checkpoint.id === id)
  if (!segment) throw dropped(id)
  return segment
}

function total(all: readonly { readonly held: FsUsage }[]): FsUsage {
  let [bytes, files] = [0, 0]
  for (const { held } of all) {
    bytes += held.bytes
    files += held.files
  }
  return { bytes, files }
}
