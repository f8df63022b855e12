import type { FsAdapter } from '../../../types/fs.js'
import { parentPath } from '../../paths.js'
import type { State } from '../engine.js'
import { lookAt } from '../look.js'

/** What is there now, each entry looked at once. Below what has gone nothing is looked for: failures are what storages are slow at. */
export class Present {
  readonly #fs: FsAdapter
  readonly #seen = new Map<string, Promise<State | undefined>>()

  constructor(fs: FsAdapter) {
    this.#fs = fs
  }

  look(path: string): Promise<State | undefined> {
    const state = this.#seen.get(path) ?? this.#look(path)
    this.#seen.set(path, state)
    return state
  }

  async #look(path: string): Promise<State | undefined> {
    const isReachable = path === '/' || (await this.look(parentPath(path)))?.kind === 'dir'
    return isReachable ? lookAt(this.#fs, path) : undefined
  }
}
