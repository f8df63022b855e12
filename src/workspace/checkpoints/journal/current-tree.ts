import { ignoreCodes } from '../../../errors/index.js'
import type { FsAdapter } from '../../../types/fs.js'
import { parentPath } from '../../paths.js'
import type { State } from '../engine.js'
import { readState } from '../entry-state.js'
import { subtree } from './subtree.js'

/** Supplies the state of paths that have no image: from the current tree, or from a later scan. */
export interface Base {
  look(path: string): Promise<State | undefined>
  /** Returns undefined if the path is not a file. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Lists the entry and everything below it, each directory before its content. */
  below(path: string): Promise<readonly string[]>
}

/** Lists an entry and everything below it that checkpoints keep. */
export type Below = (fs: FsAdapter, path: string) => Promise<string[]>

/** The current tree. Looks up each entry once. Looks up nothing below a missing entry, because failed lookups are slow. */
export class Present implements Base {
  readonly #fs: FsAdapter
  readonly #below: Below
  readonly #seen = new Map<string, Promise<State | undefined>>()

  constructor(fs: FsAdapter, below: Below = subtree) {
    this.#fs = fs
    this.#below = below
  }

  look(path: string): Promise<State | undefined> {
    const state = this.#seen.get(path) ?? this.#look(path)
    this.#seen.set(path, state)
    return state
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    return this.#fs.read(path).catch(ignoreCodes('ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'))
  }

  below(path: string): Promise<readonly string[]> {
    return this.#below(this.#fs, path)
  }

  async #look(path: string): Promise<State | undefined> {
    const above = parentPath(path)
    const isReachable = above === '/' || (await this.look(above))?.kind === 'dir'
    return isReachable ? readState(this.#fs, path) : undefined
  }
}
