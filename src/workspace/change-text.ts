import { FsError } from '../errors/index.js'
import type { ReadTextOptions, TextFile, Workspace, Written } from '../types/workspace.js'
import { withLocated } from './locking.js'
import { readLocated } from './reading.js'
import { allow, type Existing, missing, type View, versionOf, viewOf } from './state.js'
import { writeLocated } from './writing.js'

/**
 * Changes a text under one lock, and after one look at its path: `body` gets the file, and writes what it makes of it. The storage
 * compares the version that was read right before it replaces the file. @throws what reading and writing a file throw
 */
export async function changeText<T>(
  workspace: Workspace,
  input: string,
  options: ReadTextOptions & { readonly op: string },
  body: (file: TextFile, write: (bytes: Uint8Array) => Promise<Written>) => Promise<T>,
): Promise<T> {
  const view = viewOf(workspace)
  const { op } = options
  return withLocated(view, [{ input, op, follow: true, access: 'read' }], async ([found]) => {
    const target = found as Existing
    if (!target.stat) throw await missing(view.tree.fs, target.path, op)
    return body(await readLocated(view, target, options), (bytes) => writeOver(view, target, bytes))
  })
}

async function writeOver(view: View, target: Existing, bytes: Uint8Array): Promise<Written> {
  const { fs, policy } = view.tree
  const { path, stat } = target
  const op = 'write'
  if (policy.readOnly) throw new FsError({ code: 'EROFS', op, path })
  fs.refuseReserved(path, op)
  await allow(view, target, 'write', op)
  // A storage without versions compares nothing by itself.
  const now = stat.version === undefined ? { ...target, stat: await fs.lstat(path) } : target
  return writeLocated(view, now, bytes, { expect: versionOf(stat) }, op)
}
