import { sameBytes } from '../../../ops/bytes.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import type { Host } from '../../../types/host.js'
import { Slicer } from '../../slicer.js'
import { type Difference, dropped, type State } from '../engine.js'
import { mayBeSame } from '../entry-state.js'
import type { Base } from './current-tree.js'
import type { Image } from './image.js'
import type { Segment } from './segment.js'

const AT_ONCE = 8
/** Estimated cost of one path, in microseconds. */
const STEPS = 32

/** The state of a path at a checkpoint, and the image that has this state. Without an image, the state is that of the base. */
interface Found {
  readonly state: State | undefined
  readonly image: Image | undefined
}

/** A checkpoint, or undefined for the base. */
export type At = Segment | undefined

/**
 * The tree at each checkpoint. The first image of a path at or after a checkpoint has the path's state at that checkpoint. Without an
 * image, the base has the state.
 */
export class History {
  readonly #segments: readonly Segment[]
  readonly #base: () => Base

  /** `segments` may grow and lose its first items while the history is in use. */
  constructor(segments: readonly Segment[], base: () => Base) {
    this.#segments = segments
    this.#base = base
  }

  /** Whether an image has the state of a path. */
  async knows(at: At, path: string): Promise<boolean> {
    await this.#load(at)
    return this.#image(at, path) !== undefined
  }

  async stat(at: At, path: string): Promise<State | undefined> {
    await this.#load(at)
    return (await this.#find(at, path, this.#base())).state
  }

  /** Reads the content of a file; undefined if the entry was not a file. @throws {FsError} ESTALE: the checkpoint was dropped */
  async read(at: At, path: string): Promise<Uint8Array | undefined> {
    await this.#load(at)
    const kept = this.#image(at, path)
    if (kept) return kept.image.kind === 'file' ? kept.segment.read(kept.image) : undefined
    const bytes = await this.#base().read(path)
    // Images are written before changes. So if there is still no image, the bytes that were just read are those of the checkpoint.
    return this.#image(at, path) ? this.read(at, path) : bytes
  }

  /** The differences from the earlier to the later moment. */
  async compare(from: Segment, to: At, host: Host, first: boolean): Promise<Difference[]> {
    await this.#load(from)
    const found: Difference[] = []
    const base = this.#base()
    const slicer = new Slicer(host)
    const compareOne = async (path: string): Promise<void> => {
      if (first && found.length > 0) return
      if (slicer.due(STEPS)) await slicer.pause()
      const [before, after] = [await this.#find(from, path, base), await this.#find(to, path, base)]
      if (before.image === after.image || (await this.#isSame(path, from, to, before.state, after.state))) return
      found.push({ path, ...(before.state && { before: before.state }), ...(after.state && { after: after.state }) })
    }
    await forEachLimited(await this.#candidates(from, to, base), first ? 1 : AT_ONCE, compareOne)
    return found
  }

  /** Lists all paths that may differ: paths with an image between the two moments, and everything below a path that did not exist. */
  async #candidates(from: Segment, to: At, base: Base): Promise<string[]> {
    const paths = new Set<string>()
    const absent = new Set<string>()
    for (const segment of this.#segments.slice(this.#place(from), this.#place(to))) {
      for (const path of segment.paths()) {
        paths.add(path)
        if (segment.find(path)?.kind !== 'dir') absent.add(path)
      }
    }
    for (const segment of this.#segments.slice(this.#place(to))) {
      for (const path of segment.paths()) if (isBelowAny(path, absent)) paths.add(path)
    }
    for (const path of absent) {
      if (isBelowAny(path, absent) || (await base.look(path))?.kind !== 'dir') continue
      for (const below of await base.below(path)) paths.add(below)
    }
    return [...paths]
  }

  async #isSame(path: string, from: Segment, to: At, before: State | undefined, after: State | undefined): Promise<boolean> {
    if (!mayBeSame(before, after)) return false
    if (before?.kind !== 'file') return true
    const [old, now] = await Promise.all([this.read(from, path), this.read(to, path)])
    return old !== undefined && now !== undefined && sameBytes(old, now)
  }

  async #find(at: At, path: string, base: Base): Promise<Found> {
    const kept = this.#image(at, path)
    if (kept) return { image: kept.image, state: stateOf(kept.image) }
    const state = await base.look(path)
    return this.#image(at, path) ? this.#find(at, path, base) : { image: undefined, state }
  }

  #image(at: At, path: string): { readonly image: Image; readonly segment: Segment } | undefined {
    for (let i = this.#place(at); i < this.#segments.length; i++) {
      const segment = this.#segments[i] as Segment
      const image = segment.find(path)
      if (image) return { image, segment }
    }
    return undefined
  }

  /** Loads the segment of a checkpoint and all later segments. */
  async #load(at: At): Promise<void> {
    for (const segment of this.#segments.slice(this.#place(at))) await segment.load()
  }

  #place(at: At): number {
    if (!at) return this.#segments.length
    const place = this.#segments.indexOf(at)
    if (place === -1) throw dropped(at.checkpoint.id)
    return place
  }
}

function stateOf({ kind, size, mode, target }: Image): State | undefined {
  return kind === 'none' ? undefined : { kind, size, ...(mode !== undefined && { mode }), ...(target !== undefined && { target }) }
}

function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) if (folders.has(path.slice(0, end))) return true
  return false
}
