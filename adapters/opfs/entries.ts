import type { FsErrorCode } from '../../src/errors/index.js'
import type { FsEntry, FsStat, FsUsage } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import { patiently } from './faults.js'
import type { Place } from './handles.js'
import type { Store } from './store.js'
import { type DirNode, directories, type FileNode, type Found, type Node, newDir } from './tree.js'

/** The modification time of all directories, because the browser keeps none for them. */
const NO_TIME = 0

export async function lstat(store: Store, path: string): Promise<FsStat> {
  const known = store.known(path)
  return (known && statOf(existing(known))) ?? store.locked([path], async () => statFully(store, await store.tree.at(path)))
}

export async function readdir(store: Store, path: string): Promise<FsEntry[]> {
  const known = store.known(path)
  if (known) {
    const dir = asDir(existing(known))
    if (dir.entries) return list(dir.entries)
  }
  return store.locked([path], async () => list(await store.list(asDir(existing(await store.tree.at(path))))))
}

const list = (entries: ReadonlyMap<string, Node>): FsEntry[] =>
  Array.from(entries, ([name, node]) => {
    const size = node.kind === 'dir' ? 0 : node.size
    return { name, kind: node.kind, ...(size !== undefined && { size }) }
  })

/** Returns the cached attributes of a node, or undefined if the browser must be asked. */
function statOf(node: Node): FsStat | undefined {
  if (node.kind === 'dir') return { kind: 'dir', size: 0, mtimeMs: NO_TIME }
  const { size, mtimeMs, version } = node
  if (size === undefined || mtimeMs === undefined) return undefined
  return { kind: 'file', size, mtimeMs, version: version ?? `${mtimeMs}-${size}` }
}

async function statFully(store: Store, found: Found): Promise<FsStat> {
  const node = existing(found)
  const known = statOf(node)
  if (known) return known
  await measure(node as FileNode, await store.tree.placeOf(found))
  return statOf(node) as FsStat
}

async function measure(node: FileNode, { dir, name }: Place): Promise<void> {
  const { size, lastModified } = await patiently(async () => (await dir.getFileHandle(name)).getFile())
  node.size = size
  node.mtimeMs = lastModified
}

/** Returns the numbers of entries and bytes. The first call counts them; after that, each change updates the numbers. */
export async function usage(store: Store): Promise<FsUsage> {
  if (!store.usage) await store.locked(['/'], () => count(store))
  return { bytes: 0, files: 0, ...store.usage }
}

const MEASURED_AT_ONCE = 8

async function count(store: Store): Promise<void> {
  if (store.usage) return
  let files = 0
  let bytes = 0
  const open = [store.tree.root]
  for (let dir = open.pop(); dir; dir = open.pop()) {
    const handle = await store.tree.handleOf(dir)
    const entries = [...(await store.list(dir))]
    files += entries.length
    const measureNext = async (): Promise<void> => {
      for (let next = entries.pop(); next; next = entries.pop()) {
        const [name, node] = next
        if (node.kind === 'dir') open.push(node)
        else if (node.size === undefined) await measure(node, { dir: handle, name: store.tree.names.encode(name) })
        if (node.kind === 'file') bytes += node.size ?? 0
      }
    }
    await Promise.all(Array.from({ length: MEASURED_AT_ONCE }, measureNext))
  }
  store.usage = { bytes, files }
}

export function mkdir(store: Store, path: string): Promise<void> {
  return store.locked([path], async () => {
    const found = await store.tree.at(path)
    if (found.node) throw new Fault('EEXIST')
    const { dir, name } = await store.tree.placeOf(found)
    const handle = await dir.getDirectoryHandle(name, { create: true })
    const node: DirNode = { ...newDir(found.name, found.parent), entries: new Map() }
    store.tree.keep(node, handle)
    store.add(found.siblings, found.name, node)
  })
}

export function unlink(store: Store, path: string): Promise<void> {
  return removal(store, path, false, async (node) => (node.kind === 'dir' ? 'EISDIR' : undefined))
}

export function rmdir(store: Store, path: string): Promise<void> {
  return removal(store, path, false, async (node) => {
    if (path === '/') return 'EBUSY'
    if (node.kind !== 'dir') return 'ENOTDIR'
    return (await store.list(node)).size === 0 ? undefined : 'ENOTEMPTY'
  })
}

export function rmTree(store: Store, path: string): Promise<void> {
  return removal(store, path, true, async () => (path === '/' ? 'EBUSY' : undefined))
}

function removal(store: Store, path: string, recursive: boolean, refusal: (node: Node) => Promise<FsErrorCode | undefined>): Promise<void> {
  return store.locked([path], async () => {
    const found = await store.tree.at(path)
    const node = existing(found)
    const code = await refusal(node)
    if (code) throw new Fault(code)
    const { dir, name } = await store.tree.placeOf(found)
    if (recursive && node.kind === 'dir') await removeTree(store, found, node, { dir, name })
    else await patiently(() => dir.removeEntry(name))
    store.remove(found.siblings, found.name, node)
  })
}

/** Removes a directory with everything below it. The browser removes entries one by one, so a failure may leave a partly removed tree. */
async function removeTree(store: Store, { siblings, name }: Found, node: DirNode, place: Place): Promise<void> {
  try {
    await patiently(() => place.dir.removeEntry(place.name, { recursive: true }))
  } catch (cause) {
    siblings.set(name, newDir(name, node.parent ?? store.tree.root))
    store.usage = undefined
    throw cause
  }
  for (const dir of directories(node)) {
    for (const [child, each] of dir.entries ?? []) {
      if (each.kind === 'file') store.remove(dir.entries ?? new Map(), child, each)
      else {
        store.tree.dropHandle(each)
        store.count(-1, 0)
      }
    }
  }
}

export function existing({ node }: Found): Node {
  if (!node) throw new Fault('ENOENT')
  return node
}

export function asDir(node: Node): DirNode {
  if (node.kind !== 'dir') throw new Fault('ENOTDIR')
  return node
}

export function asFile(node: Node): FileNode {
  if (node.kind !== 'file') throw new Fault('EISDIR')
  return node
}
