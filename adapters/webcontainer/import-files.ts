import { encodeUtf8 } from '../../src/ops/utf8.js'
import { Fault } from '../shared/fault.js'
import type { WebContainerTree } from './container-like.js'
import type { Store } from './operations.js'
import { PathLookup } from './path-lookup.js'

/** Maps paths (`src/a.ts` or `/src/a.ts`) to text or bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/**
 * Once the collected files have this many bytes, they are mounted. The limit exists because the client holds three copies while sending.
 */
const MOUNTED_AT_ONCE = 8 * 1024 * 1024
/** The client builds its tree from plain objects, so it would lose an entry with this name. */
const LOST = '__proto__'

/**
 * Returns copies of the files' bytes by adapter path. @throws {Fault} EINVAL; EEXIST for a duplicate path, or one that is both a file and a
 * directory
 */
export function ownFiles(files: Files): Map<string, Uint8Array> {
  const own = new Map<string, Uint8Array>()
  for (const [key, content] of Object.entries(files)) {
    const path = key.startsWith('/') ? key : `/${key}`
    if (path.slice(1).split('/').some(isNoName)) throw new Fault('EINVAL', `write "${key}" without empty, "." and ".." components`)
    if (own.has(path)) throw new Fault('EEXIST', `"${path}" is there twice`)
    own.set(path, typeof content === 'string' ? encodeUtf8(content) : new Uint8Array(content))
  }
  for (const path of own.keys()) {
    const parent = parentsOf(path).find((folder) => own.has(folder))
    if (parent !== undefined) throw new Fault('EEXIST', `"${parent}" is both a file and a directory`)
  }
  return own
}

/** Writes nothing if one of the paths is invalid. Sends many files with one `mount` call, instead of at least one message per file. */
export async function importFiles(store: Store, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const look = new PathLookup(store.container)
  const made = new Set<string>()
  for (const path of files.keys()) {
    const kind = await placeOf(look, path, made)
    if (kind !== undefined && kind !== 'file') throw new Fault(kind === 'dir' ? 'EISDIR' : 'ELOOP', `at "${path}"`)
  }
  let some = new Map<string, Uint8Array>()
  let bytes = 0
  for (const [path, content] of files) {
    store.versions.written(path)
    if (path.split('/').includes(LOST)) {
      await writeOne(store, path, content)
      continue
    }
    some.set(path, content)
    bytes += content.length
    if (bytes < MOUNTED_AT_ONCE) continue
    await store.container.mount(treeOf(some))
    some = new Map()
    bytes = 0
  }
  if (some.size > 0) await store.container.mount(treeOf(some))
}

/** Returns the kind of the entry at a path, or undefined if the entry or a parent does not exist. Stores missing directories in `made`. */
async function placeOf(look: PathLookup, path: string, made: Set<string>): Promise<string | undefined> {
  for (const folder of parentsOf(path)) {
    if (made.has(folder)) return undefined
    const kind = await look.kind(folder)
    if (kind === undefined) {
      made.add(folder)
      return undefined
    }
    if (kind !== 'dir') throw new Fault(kind === 'file' ? 'ENOTDIR' : 'ELOOP', `at "${folder}"`)
  }
  return look.kind(path)
}

async function writeOne({ container }: Store, path: string, content: Uint8Array): Promise<void> {
  for (const folder of parentsOf(path)) {
    if ((await new PathLookup(container).kind(folder)) === undefined) await container.mkdir(folder)
  }
  await container.write(path, content)
}

function treeOf(files: ReadonlyMap<string, Uint8Array>): WebContainerTree {
  const root = newTree()
  const folders = new Map([['', root]])
  const folderAt = (path: string): WebContainerTree => {
    const known = folders.get(path)
    if (known) return known
    const directory = newTree()
    const end = path.lastIndexOf('/')
    folderAt(path.slice(0, end))[path.slice(end + 1)] = { directory }
    folders.set(path, directory)
    return directory
  }
  for (const [path, contents] of files) {
    const end = path.lastIndexOf('/')
    folderAt(path.slice(0, end))[path.slice(end + 1)] = { file: { contents } }
  }
  return root
}

const newTree = (): WebContainerTree => Object.create(null) as WebContainerTree

const isNoName = (name: string): boolean => name === '' || name === '.' || name === '..' || name.includes('\0')

/** Returns the parent directories of a path from the top down, without `/`. */
function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) parents.push(path.slice(0, end))
  return parents
}
