import type { CreateMode, ReadOptions } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import { copyOf, Unfinished } from './disk.js'
import { asFile, existing } from './entries.js'
import { patiently } from './faults.js'
import type { Place } from './handles.js'
import type { Store } from './store.js'
import type { FileNode, Found } from './tree.js'
import { type Fill, swap, writeAll } from './write-file.js'

/**
 * Maximum size in bytes of a file that an append rewrites as a whole. An append to a larger file records an intent, which takes as long as
 * rewriting this many bytes.
 */
const REWRITTEN_BYTES = 256 * 1024

export function read(store: Store, path: string, { offset = 0, length }: ReadOptions = {}): Promise<Uint8Array> {
  return store.locked([path], async () => {
    const found = await store.tree.at(path)
    const node = asFile(existing(found))
    if (!(offset >= 0 && (length === undefined || length >= 0))) throw new Fault('EINVAL', 'offset and length must be 0 or more')
    const { dir, name } = await store.tree.placeOf(found)
    return patiently(async () => {
      const file = await (await dir.getFileHandle(name)).getFile()
      node.size = file.size
      node.mtimeMs = file.lastModified
      const start = Math.min(Math.trunc(offset), file.size)
      const end = length === undefined ? file.size : Math.min(Math.trunc(offset + length), file.size)
      return new Uint8Array(await (start === 0 && end === file.size ? file : file.slice(start, end)).arrayBuffer())
    })
  })
}

export function write(store: Store, path: string, bytes: Uint8Array, create: CreateMode = 'always'): Promise<void> {
  return store.locked([path], async () => {
    const found = await store.tree.at(path)
    if (!found.node && create === 'never') throw new Fault('ENOENT')
    if (found.node && create === 'exclusive') throw new Fault('EEXIST')
    if (found.node) asFile(found.node)
    await replace(store, found, path, bytes.length, (sink) => sink.write(bytes))
  })
}

async function replace(store: Store, found: Found, path: string, size: number, fill: Fill): Promise<void> {
  const { siblings, name, node } = found
  await store.disk.replace(await store.tree.placeOf(found), path, !node, fill)
  if (node) store.fill(asFile(node), size)
  else store.add(siblings, name, { kind: 'file', size, version: store.draw() })
}

export function append(store: Store, path: string, bytes: Uint8Array): Promise<void> {
  return store.locked([path], async () => {
    const found = await store.tree.at(path)
    const node = asFile(existing(found))
    const place = await store.tree.placeOf(found)
    const file = await place.dir.getFileHandle(place.name)
    const { size } = await file.getFile()
    if (!store.disk.moves) await swap(file, (sink) => sink.write(bytes), size)
    else if (size <= REWRITTEN_BYTES) {
      const copy = copyOf(file)
      await store.disk.replace(place, path, false, async (sink) => {
        await copy(sink)
        await sink.write(bytes)
      })
    } else await store.disk.noted({ kind: 'append', path, size }, () => extend(place, bytes, size))
    store.fill(node, size + bytes.length)
  })
}

async function extend({ dir, name }: Place, bytes: Uint8Array, size: number): Promise<void> {
  const file = await dir.getFileHandle(name)
  const access = await patiently(() => file.createSyncAccessHandle())
  try {
    await writeAll(access, bytes, size)
    await access.flush()
  } catch (cause) {
    try {
      await access.truncate(size)
      await access.flush()
    } catch {
      throw new Unfinished(cause)
    }
    throw cause
  } finally {
    await access.close()
  }
}

export function copy(store: Store, from: string, to: string): Promise<void> {
  return store.locked([from, to], async () => {
    const source = await store.tree.at(from)
    asFile(existing(source))
    const target = await store.tree.at(to)
    if (from === to) return
    if (target.node) asFile(target.node)
    const { dir, name } = await store.tree.placeOf(source)
    const file = await dir.getFileHandle(name)
    const { size } = await file.getFile()
    await replace(store, target, to, size, copyOf(file))
  })
}

/** Keeps the version of a file whose modification time the browser changes. */
export function keepVersion(node: FileNode): void {
  if (node.size !== undefined && node.mtimeMs !== undefined) node.version ??= `${node.mtimeMs}-${node.size}`
  node.mtimeMs = undefined
}
