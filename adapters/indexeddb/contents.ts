import type { CreateMode, ReadOptions } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import type { Change } from './change.js'
import type { FileNode, Part } from './nodes.js'
import { readParts } from './parts.js'
import type { View } from './transactions.js'
import { asFile } from './tree.js'

const FILE_MODE = 0o644

/** Reads from the content that the file has at the call: later changes do not affect the result, because the read starts synchronously. */
export function read(view: View, path: string, { offset = 0, length }: ReadOptions): Promise<Uint8Array> {
  const { parts, size } = view.tree.findFile(path)
  const wanted = length ?? size
  if (!(offset >= 0 && wanted >= 0)) throw new Fault('EINVAL', 'offset and length must be 0 or more')
  return readParts(() => view.parts(), parts, Math.min(Math.trunc(offset), size), Math.min(Math.trunc(offset + wanted), size))
}

/** Writes a file. `pieces` must be copies that the caller does not change any more. Each piece becomes a part. */
export function write(change: Change, path: string, pieces: readonly Uint8Array[], create: CreateMode): void {
  const { parent, name, node } = change.tree.at(path)
  if (!node) {
    if (create === 'never') throw new Fault('ENOENT')
    change.add(
      parent,
      newFile(
        change,
        parent.id,
        name,
        pieces.map((bytes) => change.put(bytes)),
        FILE_MODE,
      ),
    )
    return
  }
  if (create === 'exclusive') throw new Fault('EEXIST')
  const file = asFile(node)
  // Reuse the ids of the old parts: replacing a part costs half as much as adding a part and removing another.
  const parts = pieces.map((bytes, i) => change.put(bytes, file.parts[i]?.id))
  change.drop(file.parts.slice(parts.length))
  fill(change, file, parts)
}

/**
 * Appends to a file. Merges the last parts of the file into the new part, as long as each of them is not larger than the part merged so
 * far. So a file that grows in small steps has few parts, and each byte is rewritten only a few times.
 */
export function append(change: Change, path: string, pieces: readonly Uint8Array[], limit: number): void {
  const file = change.tree.findFile(path)
  const [first, ...others] = pieces
  let kept = file.parts.length
  let size = first?.length ?? 0
  for (let last = file.parts[kept - 1]; last && size > 0 && last.size <= size && last.size + size <= limit; last = file.parts[kept - 1]) {
    size += last.size
    kept--
  }
  const joined = file.parts.slice(kept)
  const parts = file.parts.slice(0, kept)
  if (first) parts.push(joined.length > 0 ? change.join(joined, first) : change.put(first))
  change.drop(joined)
  fill(change, file, [...parts, ...others.map((bytes) => change.put(bytes))])
}

/** Copies the content and the mode of a file, inside the transaction. */
export function copy(change: Change, from: string, to: string): void {
  const source = change.tree.findFile(from)
  const { parent, name, node } = change.tree.at(to)
  if (from === to) return
  const target = node && asFile(node)
  const parts = source.parts.map((part) => change.join([part]))
  if (!target) {
    change.add(parent, newFile(change, parent.id, name, parts, source.mode))
    return
  }
  change.drop(target.parts)
  fill(change, target, parts, source.mode)
}

const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, { size }) => sum + size, 0)

function newFile({ tree }: Change, parent: number, name: string, parts: readonly Part[], mode: number): FileNode {
  return { id: tree.nextId(), parent, name, kind: 'file', mtimeMs: tree.now(), mode, size: sizeOf(parts), version: tree.draw(), parts }
}

function fill(change: Change, file: FileNode, parts: readonly Part[], mode: number = file.mode): void {
  const size = sizeOf(parts)
  const { tree } = change
  const mtimeMs = tree.now()
  change.resize(size - file.size)
  change.set<FileNode>(file, { parts, size, mode, version: tree.draw(), mtimeMs })
}
