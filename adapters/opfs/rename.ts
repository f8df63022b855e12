import type { FsErrorCode } from '../../src/errors/index.js'
import { Fault } from '../shared/fault.js'
import { keepVersion } from './contents.js'
import { Unfinished } from './disk.js'
import { existing } from './entries.js'
import type { Place } from './handles.js'
import { moveTree } from './move-tree.js'
import type { Store } from './store.js'
import { type DirNode, directories, type FileNode, type Found, type Node } from './tree.js'

export function rename(store: Store, from: string, to: string): Promise<void> {
  return store.locked([from, to], async () => {
    const source = await store.tree.at(from)
    const target = await store.tree.at(to)
    if (from === '/' || to === '/') throw new Fault('EBUSY')
    const node = existing(source)
    if (from === to) return
    if (to.startsWith(`${from}/`)) throw new Fault('EINVAL', 'a directory cannot go into itself')
    const code = target.node && (await refusalToReplace(store, node, target.node))
    if (code) throw new Fault(code)
    const [fromPlace, toPlace] = [await store.tree.placeOf(source), await store.tree.placeOf(target)]
    if (node.kind === 'dir') {
      await store.disk.noted({ kind: 'rename', from, to }, () => moveOrUndo(store, fromPlace, toPlace, target.node !== undefined))
      if (target.node) store.remove(target.siblings, target.name, target.node)
      moveNode(store, source, target, node)
      return
    }
    await moveFile(store, from, to, fromPlace, toPlace, node)
    if (target.node) store.remove(target.siblings, target.name, target.node)
    source.siblings.delete(source.name)
    target.siblings.set(target.name, node)
  })
}

async function refusalToReplace(store: Store, node: Node, replaced: Node): Promise<FsErrorCode | undefined> {
  if (node.kind !== 'dir') return replaced.kind === 'dir' ? 'EISDIR' : undefined
  if (replaced.kind !== 'dir') return 'ENOTDIR'
  return (await store.list(replaced)).size === 0 ? undefined : 'ENOTEMPTY'
}

async function moveFile(store: Store, from: string, to: string, source: Place, target: Place, node: FileNode): Promise<void> {
  const { disk } = store
  if (disk.moves) return disk.move(source, target)
  await disk.noted({ kind: 'rename', from, to }, () => disk.move(source, target))
  keepVersion(node)
}

/** `to` is an empty directory or nothing. */
async function moveOrUndo({ disk }: Store, from: Place, to: Place, wasThere: boolean): Promise<void> {
  try {
    await moveTree(disk, from, to)
  } catch (cause) {
    // A copy that is there by half must not be moved back over the original.
    if (cause instanceof Unfinished) throw cause
    try {
      await moveTree(disk, to, from)
      if (wasThere) await to.dir.getDirectoryHandle(to.name, { create: true })
    } catch {
      throw new Unfinished(cause)
    }
    throw cause
  }
}

/** Each directory below is another one to the browser now. */
function moveNode(store: Store, source: Found, target: Found, node: DirNode): void {
  source.siblings.delete(source.name)
  target.siblings.set(target.name, node)
  node.name = target.name
  node.parent = target.parent
  for (const dir of directories(node)) {
    store.tree.dropHandle(dir)
    if (store.disk.moves) continue
    for (const child of dir.entries?.values() ?? []) if (child.kind === 'file') keepVersion(child)
  }
}
