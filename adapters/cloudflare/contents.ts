import type { CreateMode, ReadOptions } from '../../src/types/fs.js'
import { appendChunks, copyChunks, dropChunks, readRange, writeChunks } from './content-chunks.js'
import type { Database } from './database.js'
import { addNode } from './entries.js'
import { Fault } from './faults.js'
import { asFile, findFile, locate, type Node } from './lookup.js'

const FILE_MODE = 0o644

export function read(db: Database, path: string, { offset = 0, length }: ReadOptions): Uint8Array {
  const { id, size } = findFile(db, path)
  const wanted = length ?? size
  if (!(offset >= 0 && wanted >= 0)) throw new Fault('EINVAL', 'offset and length must be 0 or more')
  return readRange(db, id, Math.min(Math.trunc(offset), size), Math.min(Math.trunc(offset + wanted), size))
}

export function write(db: Database, path: string, bytes: Uint8Array, create: CreateMode): void {
  const spot = locate(db, path)
  const { node } = spot
  if (!node) {
    if (create === 'never') throw new Fault('ENOENT')
    const id = addNode(db, spot, { kind: 'file', size: bytes.length, mode: FILE_MODE, version: db.nextVersion() })
    writeChunks(db, id, bytes, 0)
    return
  }
  if (create === 'exclusive') throw new Fault('EEXIST')
  asFile(node)
  writeChunks(db, node.id, bytes, node.size)
  filled(db, node, bytes.length)
}

export function append(db: Database, path: string, bytes: Uint8Array): void {
  const file = findFile(db, path)
  appendChunks(db, file.id, bytes, file.size)
  filled(db, file, file.size + bytes.length)
}

/** Copies the content and the mode of a file. */
export function copy(db: Database, from: string, to: string): void {
  const source = findFile(db, from)
  const spot = locate(db, to)
  if (from === to) return
  const { size, mode } = source
  if (!spot.node) {
    copyChunks(db, source.id, addNode(db, spot, { kind: 'file', size, mode, version: db.nextVersion() }))
    return
  }
  const target = asFile(spot.node)
  dropChunks(db, target.id)
  copyChunks(db, source.id, target.id)
  filled(db, target, size)
  db.exec(db.queries.setMeta, mode, null, target.parent, target.name)
}

function filled(db: Database, file: Node, size: number): void {
  db.exec(db.queries.fill, size, db.now(), db.nextVersion(), file.parent, file.name)
  if (size !== file.size) db.exec(db.queries.count, size - file.size, 0)
}
