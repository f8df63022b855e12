import { hasCode } from '../../errors/index.js'
import type { Checkpoint, CheckpointLimits, EntryImage } from '../../types/checkpoint.js'
import type { FsImage, FsMoment, FsUsage } from '../../types/fs.js'
import type { Host } from '../../types/host.js'
import { versionOf } from '../state.js'
import { type Difference, dropped, type Engine, type Moment, type NewCheckpoint, type State } from './engine.js'

interface Kept {
  readonly checkpoint: Checkpoint
  readonly moment: FsMoment
}

/** Checkpoints that the storage itself keeps. They last as long as the storage object. */
export class MomentsEngine implements Engine {
  readonly #keep: () => Promise<FsMoment>
  readonly #kept: Kept[] = []
  #made = 0

  constructor(keep: () => Promise<FsMoment>) {
    this.#keep = keep
  }

  async list(): Promise<readonly Checkpoint[]> {
    return this.#kept.map(({ checkpoint }) => checkpoint)
  }

  async reusable(): Promise<Checkpoint | undefined> {
    return this.#kept.at(-1)?.checkpoint
  }

  async make({ label, host }: NewCheckpoint): Promise<Checkpoint> {
    const moment = await this.#keep()
    const checkpoint = { id: `c${++this.#made}`, ...(label !== undefined && { label }), time: host.now() }
    this.#kept.push({ checkpoint, moment })
    return checkpoint
  }

  /**
   * Drops the oldest checkpoints beyond `keep`. Ignores the byte limit: checkpoints share content with the tree and each other, so their
   * own size is unknown without comparing everything.
   */
  async trim({ keep }: Required<CheckpointLimits>): Promise<void> {
    this.#kept.splice(0, this.#kept.length - keep)
  }

  async diff(from: Moment, to: Moment, _host: Host): Promise<readonly Difference[]> {
    if (from === to) return []
    // Only a checkpoint has `diff`, so to compare from "now" swap the sides.
    const forwards = from !== undefined
    const [asked, other] = forwards ? [this.#momentOf(from), to] : [this.#momentOf(to as string), from]
    const found = await asked.diff(other === undefined ? undefined : this.#momentOf(other))
    return found.map(({ path, before: old, after: now }) => {
      const [before, after] = forwards ? [old, now] : [now, old]
      return {
        path,
        ...(before && { before: stateOf(before, from === undefined) }),
        ...(after && { after: stateOf(after, to === undefined) }),
      }
    })
  }

  async stat(at: string, path: string): Promise<EntryImage | undefined> {
    try {
      return stateOf(await this.#momentOf(at).lstat(path), false)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  read(at: string, path: string): Promise<Uint8Array> {
    return this.#momentOf(at).read(path)
  }

  async held(): Promise<FsUsage> {
    return { bytes: 0, files: 0 }
  }

  #momentOf(id: string): FsMoment {
    const kept = this.#kept.find(({ checkpoint }) => checkpoint.id === id)
    if (!kept) throw dropped(id)
    return kept.moment
  }
}

function stateOf(image: FsImage, now: boolean): State {
  const { kind, size, mode, target } = image
  if (kind === 'symlink') return { kind, size, target: target ?? '' }
  return { kind, size, ...(mode !== undefined && { mode }), ...(now && { version: versionOf(image) }) }
}
