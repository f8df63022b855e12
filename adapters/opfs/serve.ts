import type { FsErrorCode } from '../../src/errors/index.js'
import type { CreateMode, ReadOptions } from '../../src/types/fs.js'
import { Fault } from '../shared/fault.js'
import { type Files, planFiles } from '../shared/first-files.js'
import * as contents from './contents.js'
import { keepVersion, write } from './contents.js'
import { Unfinished } from './disk.js'
import * as entries from './entries.js'
import { existing, mkdir } from './entries.js'
import { faultOf } from './faults.js'
import type { DirHandle, Place } from './handles.js'
import { type Answer, type Call, isCall, type Opening, type SentFault } from './messages.js'
import { moveTree } from './move-tree.js'
import { Store } from './store.js'
import { type DirNode, directories, type FileNode, type Found, type Node } from './tree.js'

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: Answer, transfer: readonly ArrayBuffer[]): void
}

const VERSIONS = 'the page and its worker are of different versions of this library'

type Method = (store: Store, ...args: never[]) => Promise<unknown>

const METHODS: Readonly<Record<string, Method>> = {
  lstat: (store, path: string) => entries.lstat(store, path),
  readdir: (store, path: string) => entries.readdir(store, path),
  read: (store, path: string, range: ReadOptions) => contents.read(store, path, range),
  write: (store, path: string, bytes: Uint8Array, create: CreateMode) => contents.write(store, path, bytes, create),
  mkdir: (store, path: string) => entries.mkdir(store, path),
  unlink: (store, path: string) => entries.unlink(store, path),
  rmdir: (store, path: string) => entries.rmdir(store, path),
  rename: (store, from: string, to: string) => rename(store, from, to),
  append: (store, path: string, bytes: Uint8Array) => contents.append(store, path, bytes),
  copy: (store, from: string, to: string) => contents.copy(store, from, to),
  rmTree: (store, path: string) => entries.rmTree(store, path),
  usage: (store) => entries.usage(store),
  // `flush` only waits for its turn, because the storage holds no changes back. Without `move`, the browser decides when to write to disk.
  flush: (store) => store.locked([], async () => undefined),
}

/**
 * Serves a workspace in the origin private file system to the page that started this dedicated worker. Call this function in a worker
 * script of your own if your bundler does not find this package's script. No other code may listen for messages in that worker.
 */
export function serveOpfs(scope: unknown = globalThis): void {
  const { addEventListener, postMessage } = scope as WorkerScope
  const send = postMessage.bind(scope)
  let browser: DirHandle | undefined
  let store: Store | undefined
  const answer = async ({ id, method, args }: Call): Promise<void> => {
    try {
      if (method === 'reach' || method === 'open') {
        if (method === 'reach') browser = await reach(args[0] as string | undefined)
        else store = await open(browser, args[0] as Opening)
        send({ id, value: undefined }, [])
        return
      }
      const run = METHODS[method]
      if (!store || !run) throw new Fault('EIO', VERSIONS)
      const value: unknown = await run(store, ...(args as never[]))
      send({ id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [])
    } catch (cause) {
      send({ id, fault: toSend(cause, method) }, [])
    }
  }
  addEventListener.call(scope, 'message', ({ data }) => {
    if (isCall(data)) void answer(data)
  })
}

/** @param lock name of a lock that the worker holds as long as it lives */
async function reach(lock: string | undefined): Promise<DirHandle> {
  if (lock !== undefined) await holdForLife(lock)
  // The type of the handle differs between TypeScript libraries.
  return (await navigator.storage.getDirectory()) as unknown as DirHandle
}

async function open(browser: DirHandle | undefined, { name, files }: Opening): Promise<Store> {
  try {
    if (!browser) throw new Fault('EIO', VERSIONS)
    const store = await Store.open(browser, name)
    await writeFirst(store, files)
    return store
  } catch (cause) {
    throw cause instanceof Unfinished ? cause.cause : cause
  }
}

/**
 * Takes a lock that this worker holds as long as it lives. Waits for the end of an earlier worker, so that the pending browser operations
 * of that worker are complete.
 */
function holdForLife(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = navigator.locks.request(name, () => {
      resolve()
      return new Promise(() => undefined)
    })
    request.catch(reject)
  })
}

function toSend(cause: unknown, method: string): SentFault {
  const { code, detail, cause: first } = cause instanceof Fault ? cause : faultOf(cause, method)
  // Send only a cause that is an error or a DOMException: other values may not be clonable.
  return { code, detail, cause: first instanceof Error || first instanceof DOMException ? first : undefined }
}

/** Writes the initial files into an empty storage. After a crash, the next opening starts again with an empty storage. */
async function writeFirst(store: Store, files: Files): Promise<void> {
  const plan = planFiles(files)
  if (plan.files.length === 0 || (await store.list(store.tree.root)).size > 0) return
  await store.disk.noted({ kind: 'fill' }, async () => {
    try {
      for (const path of plan.dirs) await mkdir(store, path)
      await Promise.all(plan.files.map(({ path, bytes }) => write(store, path, bytes)))
    } catch (cause) {
      throw new Unfinished(cause)
    }
  })
}

function rename(store: Store, from: string, to: string): Promise<void> {
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

/** Moves a directory, or undoes the move. `to` must be missing or an empty directory. */
async function moveOrUndo({ disk }: Store, from: Place, to: Place, wasThere: boolean): Promise<void> {
  try {
    await moveTree(disk, from, to)
  } catch (cause) {
    // Do not undo now: a partial copy must not be moved back over the original.
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

/** Updates the tree after a directory was moved. The handles of all directories below are invalid now. */
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
