import type { FsAdapter } from '../../types/fs.js'
import { Appending } from './appending.js'
import { type Calls, refuse } from './calls.js'
import { copyBetween } from './copy-between.js'
import { removeTree } from './remove-tree.js'

/** What every combination has: where a storage lacks it, it is made of what all storages have. */
export function treeParts(calls: Calls): Required<Pick<FsAdapter, 'append' | 'copy' | 'rmTree'>> {
  const { table } = calls
  const appending = new Appending()
  return {
    append: async (path, bytes) => {
      const asked = { op: 'append to', path }
      if (table.isFixed(path)) throw refuse('EISDIR', asked)
      return calls.change(asked, (at) => appending.append(at, bytes))
    },
    copy: async (from, to) => {
      const asked = { op: 'copy', path: from, dest: to }
      const [source, dest] = [calls.at(from, asked), calls.changing(asked, to)]
      if (table.isFixed(from) || table.isFixed(to)) throw refuse('EISDIR', asked)
      const { fs } = source.mount
      const { copy } = fs
      const own = copy && source.mount === dest.mount
      return calls.createAt(dest, asked, () => (own ? copy.call(fs, source.inner, dest.inner) : copyBetween(source, dest)))
    },
    rmTree: async (path) => {
      const asked = { op: 'remove', path }
      calls.refuseFixed(asked)
      return calls.change(asked, (at) => removeTree(at.mount.fs, at.inner))
    },
  }
}
