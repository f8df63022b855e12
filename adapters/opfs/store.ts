import { createLimit } from '../../src/ops/concurrency.js'
import { PathLocks } from '../../src/workspace/locks.js'
import { Fault } from '../shared/fault.js'
import { Disk, TEMP, Unfinished } from './disk.js'
import { isSurprise, patiently } from './faults.js'
import { type DirHandle, type Place, unlessMissing } from './handles.js'
import { INTENT, type Intent, Intents } from './intents.js'
import { moveTree } from './move-tree.js'
import { encodeStoreName, Names } from './names.js'
import { type DirNode, type FileNode, type Found, type Node, Tree } from './tree.js'
import { hasMove, hasSwap, hasSyncAccess } from './write-file.js'

const FORMAT = 1
const FORMAT_PREFIX = 'format-'
const FOLDER = 'toolport'
/** Maximum number of concurrent operations. More of them would not be faster. */
const AT_ONCE = 8
/**
 * Names that are equal on a disk that ignores case or Unicode forms. On such a disk, a file with the first name is also found by the
 * others.
 */
const PROBE = ['caf\u00e9', 'CAF\u00c9', 'cafe\u0301'] as const

/** The files of one workspace and the cached tree. One per worker. */
export class Store {
  readonly tree: Tree
  readonly disk: Disk
  /** Number of entries below the root, and their bytes. Undefined until they were counted. */
  usage: { bytes: number; files: number } | undefined
  readonly #locks = new PathLocks()
  readonly #limit = createLimit(AT_ONCE)
  readonly #origin = crypto.randomUUID()
  #drawn = 0
  #lost: Fault | undefined

  /** @throws {Fault} ENOTSUP; any error of the browser */
  static async open(browser: DirHandle, name: string): Promise<Store> {
    if (!(hasSyncAccess() && hasMove()) && !hasSwap()) {
      throw new Fault('ENOTSUP', 'this browser can neither move files nor replace them in one step')
    }
    const folder = await browser.getDirectoryHandle(FOLDER, { create: true })
    const own = await folder.getDirectoryHandle(encodeStoreName(name), { create: true })
    const system = await own.getDirectoryHandle('system', { create: true })
    await checkFormat(system)
    const names = new Names(await folds(system))
    const intents = new Intents(system)
    const store = new Store(await own.getDirectoryHandle('files', { create: true }), names, new Disk(system, intents))
    for (const intent of await intents.left()) await recover(store, intent)
    await clean(system)
    return store
  }

  private constructor(files: DirHandle, names: Names, disk: Disk) {
    this.tree = new Tree(files, names)
    this.disk = disk
  }

  /**
   * Returns what the cache contains for a path, without waiting for locks. Undefined if the browser must be asked. @throws {Fault} ENOENT
   * ENOTDIR EIO
   */
  known(path: string): Found | undefined {
    if (this.#lost) throw this.#lost
    return this.tree.known(path)
  }

  /** Locks the paths and everything below them while `work` runs. */
  async locked<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      return await this.#locked(paths, work)
    } catch (cause) {
      if (cause instanceof Unfinished) throw this.#lose(cause)
      // Forget the cache, which may be wrong: only code that ignores the lock can cause this error.
      if (isSurprise(cause)) await this.#locked(['/'], async () => this.#forget())
      throw cause
    }
  }

  async #locked<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    const release = await this.#locks.acquire(paths)
    try {
      return await this.#limit(async () => {
        if (this.#lost) throw this.#lost
        return work()
      })
    } finally {
      release()
    }
  }

  #forget(): void {
    this.tree.reset()
    this.usage = undefined
  }

  #lose(cause: Unfinished): Fault {
    this.#lost ??= new Fault('EIO', 'a change was done by half. It is completed or undone when the storage is opened anew', cause.cause)
    return this.#lost
  }

  /** Returns a version for written content, unique across sessions. */
  draw(): string {
    return `${this.#origin}-${++this.#drawn}`
  }

  add(siblings: Map<string, Node>, name: string, node: Node): void {
    siblings.set(name, node)
    this.count(1, node.kind === 'file' ? (node.size ?? 0) : 0)
  }

  /** Removes a file or an empty directory from the tree. */
  remove(siblings: Map<string, Node>, name: string, node: Node): void {
    siblings.delete(name)
    if (node.kind === 'dir') this.tree.dropHandle(node)
    this.count(-1, node.kind === 'file' ? -(node.size ?? 0) : 0)
  }

  /** Updates a file's node after a write. */
  fill(node: FileNode, size: number): void {
    this.count(0, size - (node.size ?? 0))
    Object.assign(node, { size, mtimeMs: undefined, version: this.draw() })
  }

  count(files: number, bytes: number): void {
    if (!this.usage) return
    this.usage.files += files
    this.usage.bytes += bytes
  }

  /** Lists a directory. The caller must hold the directory's lock. */
  list(dir: DirNode): Promise<Map<string, Node>> {
    return this.tree.list(dir)
  }
}

async function checkFormat(system: DirHandle): Promise<void> {
  for await (const [name] of system.entries()) {
    if (name.startsWith(FORMAT_PREFIX) && Number(name.slice(FORMAT_PREFIX.length)) > FORMAT) {
      throw new Fault('ENOTSUP', 'a later version of this library made it')
    }
  }
  await system.getFileHandle(`${FORMAT_PREFIX}${FORMAT}`, { create: true })
}

/** Returns whether the disk treats some different names as equal, as on macOS. */
async function folds(system: DirHandle): Promise<boolean> {
  const [name, ...others] = PROBE
  await system.getFileHandle(name, { create: true })
  for (const other of others) if (await unlessMissing(system.getFileHandle(other))) return true
  return false
}

/** Removes temporary files and intents that interrupted calls have left. */
async function clean(system: DirHandle): Promise<void> {
  const left: string[] = []
  for await (const [name] of system.entries()) if (name.startsWith(TEMP) || name.startsWith(INTENT)) left.push(name)
  for (const name of left) await patiently(() => system.removeEntry(name))
}

interface Recovered {
  readonly tree: Tree
  readonly disk: Disk
}

/** Completes or undoes a change of an earlier session. Calling this function again does no harm. */
async function recover(store: Recovered, intent: Intent): Promise<void> {
  if (intent.kind === 'rename') return finishRename(store, intent.from, intent.to)
  if (intent.kind === 'fill') return clear(await store.tree.handleOf(store.tree.root))
  const place = await placeAt(store, intent.path)
  const file = place && (await unlessMissing(place.dir.getFileHandle(place.name)))
  if (!place || !file) return
  const { size } = await file.getFile()
  if (intent.kind === 'create') {
    // A file with content is complete, because the content appears as a whole. Remove an empty file, which may never have been filled.
    if (size === 0) await patiently(() => place.dir.removeEntry(place.name))
    return
  }
  if (size <= intent.size) return
  const access = await patiently(() => file.createSyncAccessHandle())
  try {
    await access.truncate(intent.size)
    await access.flush()
  } finally {
    await access.close()
  }
}

async function finishRename(store: Recovered, from: string, to: string): Promise<void> {
  const [source, target] = [await placeAt(store, from), await placeAt(store, to)]
  if (!source || !target) return
  const file = await fileAt(source)
  if (file) await store.disk.move(source, target)
  else await moveTree(store.disk, source, target)
}

/** Returns the place of a path. Does not use the tree, which must not cache listings before recovery is complete. */
async function placeAt({ tree }: Recovered, path: string): Promise<Place | undefined> {
  const names = path
    .slice(1)
    .split('/')
    .map((name) => tree.names.encode(name))
  const name = names.pop() ?? ''
  let dir: DirHandle | undefined = await tree.handleOf(tree.root)
  for (const each of names) dir = dir && (await unlessMissing(dir.getDirectoryHandle(each)))
  return dir && { dir, name }
}

async function fileAt({ dir, name }: Place): Promise<boolean> {
  for await (const [each, { kind }] of dir.entries()) if (each === name) return kind === 'file'
  return false
}

async function clear(dir: DirHandle): Promise<void> {
  const names: string[] = []
  for await (const [name] of dir.entries()) names.push(name)
  for (const name of names) await patiently(() => dir.removeEntry(name, { recursive: true }))
}
