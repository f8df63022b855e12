import { FsError, hasCode } from '../../../errors/index.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import type { FsAdapter } from '../../../types/fs.js'
import { type Blobs, blobName } from './blobs.js'
import type { Manifest, ScannedEntry } from './manifest.js'
import type { Seen } from './scan-tree.js'

/** Files to read concurrently. */
const AT_ONCE = 8
/** A file may change twice within the resolution of the file system's clock (FAT: 2 s) and keep its version. */
const NEW_MS = 2000

interface Storing {
  readonly fs: FsAdapter
  readonly blobs: Blobs
  /** The manifest of an earlier checkpoint: files with the same version are not read again. */
  readonly earlier: Manifest | undefined
  /** The time by the clock of the file system. */
  readonly clock: number
}

/** Stores new contents. After a failure, removes those that it added. @throws {FsError} EACCES */
export async function storeTree(seen: ReadonlyMap<string, Seen>, storing: Storing): Promise<Map<string, ScannedEntry>> {
  const added: string[] = []
  try {
    return await store(seen, storing, added)
  } catch (error) {
    for (const name of added) await storing.blobs.remove(name).catch(() => undefined)
    throw error
  }
}

async function store(seen: ReadonlyMap<string, Seen>, storing: Storing, added: string[]): Promise<Map<string, ScannedEntry>> {
  const { fs, blobs, earlier, clock } = storing
  const blobOf = new Map<string, { readonly name: string; readonly size: number }>()
  await forEachLimited([...seen], AT_ONCE, async ([path, { kind, version }]) => {
    if (kind !== 'file') return
    const known = earlier?.entries.get(path)
    if (known?.blob !== undefined && known.version === version && blobs.has(known.blob)) {
      blobOf.set(path, { name: known.blob, size: known.size })
      return
    }
    const content = await readIfAny(fs, path)
    if (!content) return
    const name = await blobName(content)
    if (await blobs.add(name, content)) added.push(name)
    blobOf.set(path, { name, size: content.length })
  })
  const entries = new Map<string, ScannedEntry>()
  for (const [path, { mtimeMs, version, ...entry }] of seen) {
    if (entry.kind !== 'file') entries.set(path, entry)
    const blob = blobOf.get(path)
    if (!blob) continue
    const isOld = version !== undefined && mtimeMs < clock - NEW_MS && isOnDisk(fs, path)
    entries.set(path, { ...entry, size: blob.size, blob: blob.name, ...(isOld && { version }) })
  }
  return entries
}

/** Versions of another storage that is mounted there, such as memory, may restart with each process, so they are unreliable later. */
function isOnDisk(fs: FsAdapter, path: string): boolean {
  try {
    return fs.hostPath?.(path) !== undefined
  } catch {
    return false
  }
}

/** Undefined: removed, or no longer a file. */
async function readIfAny(fs: FsAdapter, path: string): Promise<Uint8Array | undefined> {
  try {
    return await fs.read(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')) return undefined
    if (!hasCode(error, 'EACCES')) throw error
    const detail = 'it is not readable, so a checkpoint cannot keep it: change its permissions, or list it in .gitignore'
    throw new FsError({ code: 'EACCES', op: 'read', path, detail, cause: error })
  }
}
