import { FsError, hasCode } from '../../../errors/index.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../../types/fs.js'
import type { Host } from '../../../types/host.js'
import { atOnce } from '../at-once.js'
import { type Difference, dropped, type Engine, type Moment, type NewCheckpoint, numberOf, type Recorder } from '../engine.js'
import { listIfAny } from '../folders.js'
import { FOLDER, folderOf, heldBy, makeFolder, readFolders, removeFolder } from './folder.js'
import { type At, History } from './history.js'
import { JournalRecorder } from './recording.js'
import { Segment } from './segment.js'

/** Folders that are looked at side by side. */
const AT_ONCE = 8

/** A folder that is no checkpoint: it goes when there is time. */
interface Leftover {
  readonly path: string
  readonly held: FsUsage
}

interface Loaded {
  /** The oldest first. */
  readonly segments: Segment[]
  leftovers: Leftover[]
  /** Ids of those that somebody else has removed, until another one says so. */
  lost: string[]
  /** The number of the last id that was given. */
  last: number
}

/**
 * Checkpoints of storages that last: before a path changes for the first time since the newest one, what it was is written down. While
 * there is none, nothing is. A crash between any two steps loses nothing: what is cut short counts for nothing, and had no effect yet.
 */
export class JournalEngine implements Engine {
  readonly recorder: Recorder
  readonly #fs: FsAdapter
  #loading: Promise<Loaded> | undefined
  #loaded: Loaded | undefined
  /** The last id before everything was forgotten. */
  #forgotten = 0
  /** Making and dropping, one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(fs: FsAdapter) {
    this.#fs = fs
    this.recorder = new JournalRecorder(fs, {
      now: () => this.#loaded && { segment: this.#loaded.segments.at(-1) },
      load: () => this.#load(),
      isGone: async (segment) => !(await this.#present()).segments.includes(segment),
    })
  }

  async list(): Promise<readonly Checkpoint[]> {
    return (await this.#whole()).segments.map(({ checkpoint }) => checkpoint)
  }

  make(wanted: NewCheckpoint): Promise<Checkpoint> {
    // Once more where somebody removes the folder meanwhile.
    return this.#inTurn(() =>
      this.#make(wanted).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
        return this.#make(wanted)
      }),
    )
  }

  async #make({ label, host }: NewCheckpoint): Promise<Checkpoint> {
    const loaded = await this.#present()
    const lost = [...loaded.lost]
    const id = `c${++loaded.last}`
    const checkpoint = { id, ...(label !== undefined && { label }), time: host.now(), ...(lost.length > 0 && { lost }) }
    const newest = loaded.segments.at(-1)
    const previous = newest && { id: newest.checkpoint.id, last: newest.last }
    const folder = await makeFolder(this.#fs, checkpoint, previous).catch((error: unknown) => {
      // What there is of it is no checkpoint, and goes later.
      loaded.leftovers.push({ path: folderOf(checkpoint.id), held: { bytes: 0, files: 0 } })
      throw error
    })
    loaded.segments.push(new Segment(this.#fs, folder, checkpoint))
    loaded.lost = loaded.lost.filter((one) => !lost.includes(one))
    return checkpoint
  }

  trim({ keep, bytes }: Required<CheckpointLimits>): Promise<void> {
    return this.#inTurn(async () => {
      const loaded = await this.#present()
      const { segments } = loaded
      while (segments.length > 1 && (segments.length > keep || total(segments).bytes > bytes)) {
        const segment = segments.shift() as Segment
        segment.drop()
        loaded.leftovers.push({ path: segment.path, held: segment.held })
      }
      await this.#removeLeftovers(loaded)
    })
  }

  lost(): readonly string[] {
    return this.#loaded?.lost ?? []
  }

  async diff(from: Moment, to: Moment, host: Host, first = false): Promise<readonly Difference[]> {
    const { segments } = await this.#whole()
    const [start, end] = [segmentOf(segments, from), segmentOf(segments, to)]
    if (start === end) return []
    const history = new History(this.#fs, segments)
    const forwards = start && (!end || numberOf(start.checkpoint.id) < numberOf(end.checkpoint.id))
    if (forwards) return history.compare(start, end, host, first)
    const found = await history.compare(end as Segment, start, host, first)
    return found.map(({ path, before, after }) => ({ path, ...(after && { before: after }), ...(before && { after: before }) }))
  }

  async stat(at: string, path: string): Promise<EntryImage | undefined> {
    const { segments } = await this.#load()
    return new History(this.#fs, segments).stat(segmentOf(segments, at), path)
  }

  async read(at: string, path: string): Promise<Uint8Array> {
    const { segments } = await this.#load()
    const bytes = await new History(this.#fs, segments).read(segmentOf(segments, at), path)
    if (!bytes) throw new FsError({ code: 'ENOENT', op: 'read', path })
    return bytes
  }

  async held(): Promise<FsUsage> {
    await this.#turn
    const { segments, leftovers } = await this.#load()
    for (const segment of [...segments]) await segment.settled()
    const { bytes, files } = total([...segments, ...leftovers])
    // With the two folders above them.
    return { bytes, files: files === 0 ? 0 : files + 2 }
  }

  /** Ids go on from the last one. What is being recorded is for nobody any more. */
  forget(): void {
    const { segments = [], last = this.#forgotten } = this.#loaded ?? {}
    for (const segment of segments) segment.drop()
    this.#forgotten = last
    this.#loaded = undefined
    this.#loading = undefined
  }

  /** Once; again after a failure. */
  #load(): Promise<Loaded> {
    if (this.#loading) return this.#loading
    const loading: Promise<Loaded> = this.#read().then(
      (loaded) => {
        // Forgotten meanwhile.
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

  /** Without what somebody else has removed. With a folder all older checkpoints are lost: what they need is in the later ones as well. */
  async #present(): Promise<Loaded> {
    const loaded = await this.#load()
    const { segments } = loaded
    const known = new Set(segments)
    if (known.size === 0) return loaded
    const there = new Set((await listIfAny(this.#fs, FOLDER)).map(({ name }) => name))
    // One that was made meanwhile is not in that list.
    const last = segments.findLastIndex((segment) => known.has(segment) && !there.has(segment.checkpoint.id))
    lose(loaded, last + 1, (id) => there.has(id))
    return loaded
  }

  /** Also without those of which somebody has removed a part. */
  async #whole(): Promise<Loaded> {
    const loaded = await this.#present()
    const broken = new Set<Segment>()
    await atOnce([...loaded.segments], AT_ONCE, async (segment) => {
      if (!(await segment.isWhole())) broken.add(segment)
    })
    lose(loaded, loaded.segments.findLastIndex((segment) => broken.has(segment)) + 1, () => true)
    return loaded
  }

  async #read(): Promise<Loaded> {
    const loaded: Loaded = { segments: [], leftovers: [], lost: [], last: this.#forgotten }
    for (const folder of await readFolders(this.#fs)) {
      loaded.last = numberOf(folder.id)
      const segment = folder.checkpoint && new Segment(this.#fs, folder, folder.checkpoint)
      if (segment) {
        const before = loaded.segments.at(-1)
        const { after, lastBefore = 0 } = folder
        if (before && after !== undefined && (after !== before.checkpoint.id || before.last < lastBefore)) {
          lose(loaded, loaded.segments.length, () => true)
          if (after !== before.checkpoint.id) loaded.lost.push(after)
        }
        loaded.segments.push(segment)
      } else loaded.leftovers.push({ path: folder.path, held: heldBy(folder.sizes) })
    }
    return loaded
  }

  /** One that cannot be removed now is tried again with the next checkpoint. */
  async #removeLeftovers(loaded: Loaded): Promise<void> {
    for (const leftover of [...loaded.leftovers]) {
      const removed = await removeFolder(this.#fs, leftover.path).then(
        () => true,
        () => false,
      )
      if (removed) loaded.leftovers = loaded.leftovers.filter((other) => other !== leftover)
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}

/** The oldest ones, of which some folders may still be there. */
function lose({ segments, lost, leftovers }: Loaded, count: number, isThere: (id: string) => boolean): void {
  for (const segment of segments.splice(0, count)) {
    const { id } = segment.checkpoint
    segment.drop()
    lost.push(id)
    if (isThere(id)) leftovers.push({ path: segment.path, held: segment.held })
  }
}

function segmentOf(segments: readonly Segment[], id: Moment): At {
  if (id === undefined) return undefined
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
