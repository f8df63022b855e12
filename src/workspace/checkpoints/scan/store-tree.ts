import { FsError, hasCode } from '../../../errors/index.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import type { FsAdapter } from '../../../types/fs.js'
import { type Blobs, blobName } from './blobs.js'
import type { Manifest, ScannedEntry } from './manifest.js'
import type { Seen } from './scan-tree.js'

/** Files to read concurrently. */
const AT_ONCE = 8
/** A file younger than this may change again without a new version, because of the resolution of the file system's clock (FAT: 2 s). */
const NEW_MS = 2000

interface Storing {
  readonly fs: FsAdapter
  readonly blobs: Blobs
  /** The manifest of an earlier checkpoint: files with the same version are not read again. */
  readonly earlier: Manifest | undefined
  /** The current time by the file system's clock, in milliseconds since the epoch. */
  readonly clock: number
}

/** Stores the contents that no checkpoint has yet. After a failure, removes the contents that it added. @throws {FsError} EACCES */
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

/**
 * Whether a path is on disk. Another mounted storage, such as memory, may restart its versions with each process, so later checkpoints must
 * not rely on them.
 */
function isOnDisk(fs: FsAdapter, path: string): boolean {
  try {
    return fs.hostPath?.(path) !== undefined
  } catch {
    return false
  }
}

/** Reads a file. Undefined: the entry was removed, or is no longer a file. */
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
