import { FsError } from '../../errors/index.js'
import type { EntryImage, TreeChange, TreeDiff } from '../../types/checkpoint.js'
import { parsePath } from '../parse-path.js'
import { type View, versionOf } from '../state.js'
import type { Difference, Moment, State } from './engine.js'
import { engineIn } from './virtual-engine.js'

/** A difference in virtual paths, with readable contents. */
export class Diff implements TreeDiff {
  readonly changes: readonly TreeChange[]
  readonly #view: View
  readonly #moments: Readonly<Record<'before' | 'after', Moment>>
  readonly #states = new Map<string, Difference>()

  constructor(view: View, moments: Readonly<Record<'before' | 'after', Moment>>, found: readonly Difference[]) {
    this.#view = view
    this.#moments = moments
    const changes: TreeChange[] = []
    for (const difference of found) {
      const path = view.tree.fs.toVirtual(difference.path)
      const { before, after } = difference
      this.#states.set(path, difference)
      changes.push({ path, ...(before && { before: withoutVersion(before) }), ...(after && { after: withoutVersion(after) }) })
    }
    this.changes = changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async read(input: string, side: 'before' | 'after'): Promise<Uint8Array> {
    const { tree, scope } = this.#view
    const { path } = parsePath(input, tree.rules)
    const state = this.#states.get(path)?.[side]
    if (state?.kind !== 'file') {
      throw new FsError({ code: 'ENOENT', op: 'read', path, detail: `it was not a file ${side} the compared changes` })
    }
    if (tree.policy.hasRules) await tree.policy.check('read', path, 'read', scope)
    const at = this.#moments[side]
    if (at === undefined) return this.#readNow(path, state)
    try {
      return await (await engineIn(this.#view)).read(at, tree.fs.toAdapter(path))
    } catch (error) {
      if (!FsError.is(error)) throw error
      const { code, detail, cause } = error
      throw new FsError({ code, op: 'read', path, ...(detail !== undefined && { detail }), cause })
    }
  }

  /** @throws {FsError} ESTALE */
  async #readNow(path: string, { version }: State): Promise<Uint8Array> {
    const { fs } = this.#view.tree
    const isStill = async (): Promise<boolean> => {
      const stat = await fs.lstat(path)
      return stat.kind === 'file' && versionOf(stat) === version
    }
    try {
      if (await isStill()) {
        const bytes = await fs.read(path)
        if (await isStill()) return bytes
      }
    } catch (error) {
      if (!FsError.is(error) || !['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(error.code)) throw error
    }
    throw new FsError({ code: 'ESTALE', op: 'read', path, detail: 'it changed since the comparison: compare again' })
  }
}

function withoutVersion({ version: _, ...image }: State): EntryImage {
  return image
}
