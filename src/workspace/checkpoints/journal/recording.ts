import { hasCode } from '../../../errors/index.js'
import type { FsAdapter } from '../../../types/fs.js'
import type { Recorder } from '../engine.js'
import type { Below } from './current-tree.js'
import type { Segment } from './segment.js'

/** Access to the newest checkpoint. */
export interface Newest {
  /** Returns the newest checkpoint's segment, if there is one. Undefined: not loaded yet. */
  now(): { readonly segment: Segment | undefined } | undefined
  load(): Promise<unknown>
  /** Whether somebody else has removed the checkpoint. */
  isGone(segment: Segment): Promise<boolean>
}

/** Records the state of paths before they change, for the newest checkpoint. */
export class JournalRecorder implements Recorder {
  readonly #fs: FsAdapter
  readonly #newest: Newest
  readonly #below: Below

  constructor(fs: FsAdapter, newest: Newest, below: Below) {
    this.#fs = fs
    this.#newest = newest
    this.#below = below
  }

  entry(path: string): Promise<void> | undefined {
    return this.#record((segment) => (segment.covers(path) ? undefined : segment.record([path])))
  }

  tree(path: string): Promise<void> | undefined {
    return this.#record((segment) => this.#tree(segment, path))
  }

  rename(from: string, to: string): Promise<void> | undefined {
    if (from === to) return undefined
    return this.#record(async (segment) => {
      await segment.record([to])
      const paths = await this.#tree(segment, from)
      // If the destination was not a directory at the checkpoint, nothing below it has to be recorded.
      if (segment.find(to)?.kind !== 'dir') return
      for (const level of byDepth(paths ?? (await this.#below(this.#fs, from)))) {
        await segment.record(level.map((path) => to + path.slice(from.length)))
      }
    })
  }

  /** Returns undefined if there is no checkpoint or nothing to record, so that the caller need not wait. */
  #record(work: (segment: Segment) => Promise<unknown> | undefined): Promise<void> | undefined {
    const known = this.#newest.now()
    if (!known) return this.#newest.load().then(() => this.#record(work))
    const { segment } = known
    const recorded = segment && work(segment)
    return recorded?.then(
      () => undefined,
      async (error: unknown) => {
        if (!hasCode(error, 'ENOENT') || !(await this.#newest.isGone(segment as Segment))) throw error
        await this.#record(work)
      },
    )
  }

  /**
   * Records an entry and everything below it, and returns the paths.
   * Undefined: the entry was not a directory at the checkpoint, so nothing existed below it.
   */
  async #tree(segment: Segment, path: string): Promise<string[] | undefined> {
    await segment.load()
    const kind = segment.find(path)?.kind
    if (kind !== undefined && kind !== 'dir') return undefined
    const paths = await this.#below(this.#fs, path)
    await segment.record(paths)
    return paths
  }
}

function byDepth(paths: readonly string[]): string[][] {
  const levels: string[][] = []
  for (const path of paths) {
    const depth = path.split('/').length
    levels[depth] ??= []
    levels[depth].push(path)
  }
  return levels.filter((level) => level !== undefined)
}
