import { FsError, hasCode, ignoreCodes } from '../../../errors/index.js'
import { createLimit } from '../../../ops/concurrency.js'
import { encodeUtf8 } from '../../../ops/utf8.js'
import type { Checkpoint, EntryImage } from '../../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../../types/fs.js'
import type { Host } from '../../../types/host.js'
import { isWithin } from '../../paths.js'
import { type Difference, dropped, type Moment, type NewCheckpoint, numberOf, RESERVED, reversed } from '../engine.js'
import { listIfAny, makeDirectories } from '../folders.js'
import type { Base } from '../journal/current-tree.js'
import { Blobs, blobSize, readBlob, SCAN_FOLDER } from './blobs.js'
import { compareManifests, compareNow, stateOf } from './compare.js'
import { IgnoredThen } from './ignore-history.js'
import { decodeHead, decodeManifest, encodeManifest, type Manifest, type ScannedEntry } from './manifest.js'
import { scanTree } from './scan-tree.js'
import { storeTree } from './store-tree.js'

const ID = /^c[1-9]\d{0,14}$/
/** Number of bytes to read for the first line of a list. The longest label, 200 characters that are all escaped, fits. */
const HEAD = 4096
const decoder = new TextDecoder()

/**
 * Checkpoints of a directory that other programs change too. A checkpoint is a list of all walked entries; file contents that an earlier
 * checkpoint has stored are shared. Files that `.gitignore` excludes and that walks always skip are neither stored nor restored. Only one
 * process at a time may make checkpoints.
 */
export class ScanEngine {
  readonly #fs: FsAdapter
  readonly #heads = new Map<string, Checkpoint>()
  /** The two most recently used lists. Only two, because a list may be long. */
  readonly #manifests = new Map<string, Manifest>()
  readonly #users = new BlobUsers((id) => this.#wholeManifest(id))
  /** Number of the last id. */
  #last = 0
  /** Ids of checkpoints that another program removed, until the record of a later checkpoint lists them. */
  #lost: string[] = []
  readonly #inTurn = createLimit(1)

  constructor(fs: FsAdapter) {
    this.#fs = fs
  }

  async list(): Promise<readonly Checkpoint[]> {
    const checkpoints: Checkpoint[] = []
    const known = [...this.#heads.keys()]
    const ids = await this.#ids()
    const gone = known.filter((id) => !ids.includes(id) && this.#heads.has(id))
    this.#forget(gone)
    this.#lost.push(...gone)
    for (const id of ids) {
      const checkpoint = this.#heads.get(id) ?? (await this.#readHead(id))
      if (checkpoint) checkpoints.push(checkpoint)
    }
    return checkpoints
  }

  lost(): readonly string[] {
    return this.#lost
  }

  /** Clears the lost ids after another engine's checkpoint has recorded them. */
  toldLost(): void {
    this.#lost = []
  }

  /** Number of the last id. */
  get last(): number {
    return this.#last
  }

  /** Space used by the stored contents and lists. */
  async bytes(): Promise<number> {
    let bytes = 0
    for (const name of (await Blobs.open(this.#fs)).names()) bytes += blobSize(name)
    for (const id of await this.#ids()) bytes += (await this.#fs.lstat(`${SCAN_FOLDER}/${id}`)).size
    return bytes
  }

  make(wanted: NewCheckpoint): Promise<Checkpoint> {
    // Retry once: another program may have removed the folder.
    return this.#inTurn(() =>
      this.#make(wanted).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
        return this.#make(wanted)
      }),
    )
  }

  async #make({ label, host, limits, above = 0, lost: others = [] }: NewCheckpoint): Promise<Checkpoint> {
    const clock = await this.prepare()
    const newest = (await this.list()).at(-1)
    const earlier = newest && (await this.#manifest(newest.id).catch(ignoreFailure))
    const blobs = await Blobs.open(this.#fs)
    const seen = await scanTree(this.#fs, host, limits.bytes)
    const entries = await storeTree(seen, { fs: this.#fs, blobs, earlier, clock })
    const lost = [...this.#lost, ...others]
    const about = { time: host.now(), ...(label !== undefined && { label }), ...(lost.length > 0 && { lost }) }
    const checkpoint = await this.#write(about, entries, above)
    this.#lost = this.#lost.filter((id) => !about.lost?.includes(id))
    return checkpoint
  }

  /** Drops these checkpoints, and the contents that only they use. */
  drop(ids: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      await drop(this.#fs, ids, await this.#ids(), this.#users)
      this.#forget(ids)
      // A concurrent `list` may have counted the removed ids as lost.
      this.#lost = this.#lost.filter((id) => !ids.includes(id))
    })
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.#heads.delete(id)
      this.#manifests.delete(id)
    }
  }

  async diff(from: Moment, to: Moment, host: Host, first = false): Promise<readonly Difference[]> {
    if (from === to) return []
    if (from !== undefined && to !== undefined) {
      return compareManifests(this.#fs, host, await this.#manifest(from), await this.#manifest(to))
    }
    const found = await compareNow(this.#fs, host, await this.#manifest((from ?? to) as string), await scanTree(this.#fs, host), first)
    if (to === undefined) return found
    return reversed(found)
  }

  async stat(at: string, path: string): Promise<EntryImage | undefined> {
    const entry = (await this.#manifest(at)).entries.get(path)
    return entry && stateOf(entry)
  }

  async read(at: string, path: string): Promise<Uint8Array> {
    const { blob } = (await this.#manifest(at)).entries.get(path) ?? {}
    if (blob === undefined) throw new FsError({ code: 'ENOENT', op: 'read', path })
    return readBlob(this.#fs, blob, path)
  }

  async lacks(at: string, paths: readonly string[]): Promise<boolean> {
    const { entries } = await this.#manifest(at)
    return paths.some((path) => !entries.has(path))
  }

  /** Whether ignore rules excluded the path at that checkpoint, so that its state is unknown. */
  async leavesOut(at: string, path: string, isDirectory: boolean, host: Host): Promise<boolean> {
    const manifest = await this.#manifest(at)
    return !manifest.entries.has(path) && new IgnoredThen(manifest, host, (blob, of) => readBlob(this.#fs, blob, of)).has(path, isDirectory)
  }

  /** Returns a scan as the base of the journal checkpoints that precede the scan. */
  base(at: string): Base {
    return {
      look: (path) => this.stat(at, path),
      read: async (path) => ((await this.#manifest(at)).entries.get(path)?.blob === undefined ? undefined : this.read(at, path)),
      below: async (path) => [...(await this.#manifest(at)).entries.keys()].filter((one) => isWithin(one, path)),
    }
  }

  async held(): Promise<FsUsage> {
    let [bytes, files] = [0, 0]
    const folders = [`/${RESERVED}`]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const { name, kind } of await listIfAny(this.#fs, folder)) {
        files++
        const path = `${folder}/${name}`
        if (kind === 'dir') folders.push(path)
        else bytes += (await this.#fs.lstat(path)).size
      }
    }
    return { bytes, files: files === 0 ? 0 : files + 1 }
  }

  /** Creates the folder, with a `.gitignore` that hides it from git. Returns the current time by the file system's clock. */
  async prepare(): Promise<number> {
    await makeDirectories(this.#fs, `/${RESERVED}`, SCAN_FOLDER, `${SCAN_FOLDER}/blobs`)
    await this.#fs.write(`/${RESERVED}/.gitignore`, encodeUtf8('*\n'))
    return (await this.#fs.lstat(`/${RESERVED}/.gitignore`)).mtimeMs
  }

  async #write(about: Omit<Checkpoint, 'id'>, entries: ReadonlyMap<string, ScannedEntry>, above: number): Promise<Checkpoint> {
    for (;;) {
      const given = (await this.#ids()).at(-1)
      this.#last = Math.max(this.#last, above, given === undefined ? 0 : numberOf(given)) + 1
      const checkpoint = { id: `c${this.#last}`, ...about }
      const manifest = { checkpoint, entries }
      try {
        await this.#fs.write(`${SCAN_FOLDER}/${checkpoint.id}`, encodeManifest(manifest), { create: 'exclusive' })
      } catch (error) {
        // Another process has used this id meanwhile: take the next one.
        if (hasCode(error, 'EEXIST')) continue
        throw error
      }
      this.#heads.set(checkpoint.id, checkpoint)
      this.#remember(manifest)
      return checkpoint
    }
  }

  async #ids(): Promise<string[]> {
    const ids: string[] = []
    for (const { name, kind } of await listIfAny(this.#fs, SCAN_FOLDER)) if (kind === 'file' && ID.test(name)) ids.push(name)
    return ids.sort((a, b) => numberOf(a) - numberOf(b))
  }

  async #readHead(id: string): Promise<Checkpoint | undefined> {
    const head = await this.#fs.read(`${SCAN_FOLDER}/${id}`, { length: HEAD }).catch(ignoreFailure)
    const checkpoint = head && decodeHead(id, decoder.decode(head).split('\n')[0] as string)
    if (checkpoint) this.#heads.set(id, checkpoint)
    return checkpoint
  }

  /** @throws {FsError} ESTALE if the checkpoint is missing; EIO if it is damaged */
  async #manifest(id: string): Promise<Manifest> {
    const known = this.#manifests.get(id)
    // Another program may have removed the folder.
    const bytes = known ? undefined : await this.#fs.read(`${SCAN_FOLDER}/${id}`).catch(ignoreFailure)
    if (!known && !bytes) throw dropped(id)
    return this.#remember(known ?? decodeManifest(id, bytes as Uint8Array))
  }

  /** @returns undefined if the list is damaged or missing @throws {FsError} EIO if it cannot be read now and may be intact */
  async #wholeManifest(id: string): Promise<Manifest | undefined> {
    const known = this.#manifests.get(id)
    if (known) return known
    const bytes = await this.#fs.read(`${SCAN_FOLDER}/${id}`).catch((error: unknown): undefined => {
      if (!hasCode(error, 'ENOENT')) throw error
    })
    try {
      return bytes && decodeManifest(id, bytes)
    } catch (error) {
      if (hasCode(error, 'EIO')) return undefined
      throw error
    }
  }

  #remember(manifest: Manifest): Manifest {
    this.#manifests.delete(manifest.checkpoint.id)
    this.#manifests.set(manifest.checkpoint.id, manifest)
    const [oldest] = this.#manifests.keys()
    if (this.#manifests.size > 2 && oldest !== undefined) this.#manifests.delete(oldest)
    return manifest
  }
}

/** Ignores errors about a missing or unreadable entry. Rethrows all other errors. */
function ignoreFailure(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EIO')) throw error
}

/** Which contents each checkpoint uses, and how many checkpoints use each content. Kept between calls, because lists are long. */
class BlobUsers {
  readonly #counts = new Map<string, number>()
  readonly #blobsOf = new Map<string, readonly string[]>()
  readonly #read: (id: string) => Promise<Manifest | undefined>

  /** `read` returns undefined for a damaged checkpoint: it cannot be restored, so its contents are not needed. */
  constructor(read: (id: string) => Promise<Manifest | undefined>) {
    this.#read = read
  }

  /** Makes the counts match these checkpoints. */
  async update(ids: readonly string[]): Promise<void> {
    for (const id of this.#blobsOf.keys()) if (!ids.includes(id)) this.drop(id)
    for (const id of ids) if (!this.#blobsOf.has(id)) await this.#add(id)
  }

  isUsed(name: string): boolean {
    return this.#counts.has(name)
  }

  drop(id: string): void {
    for (const name of this.#blobsOf.get(id) ?? []) {
      const left = (this.#counts.get(name) ?? 1) - 1
      if (left > 0) this.#counts.set(name, left)
      else this.#counts.delete(name)
    }
    this.#blobsOf.delete(id)
  }

  async #add(id: string): Promise<void> {
    const names = new Set<string>()
    for (const { blob } of (await this.#read(id))?.entries.values() ?? []) if (blob !== undefined) names.add(blob)
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    this.#blobsOf.set(id, [...names])
  }
}

/**
 * Drops the checkpoints `ids` out of `all`. Then removes all contents that no remaining checkpoint uses, including leftovers of failures
 * and crashes.
 */
async function drop(fs: FsAdapter, ids: readonly string[], all: readonly string[], users: BlobUsers): Promise<void> {
  const blobs = await Blobs.open(fs)
  await users.update(all)
  for (const id of ids) {
    // Remove the list first. After a crash, unused contents are found and removed later; a list without its contents would be damaged.
    await removeIfAny(fs, `${SCAN_FOLDER}/${id}`)
    users.drop(id)
  }
  for (const name of [...blobs.names()]) if (!users.isUsed(name)) await blobs.remove(name)
}

async function removeIfAny(fs: FsAdapter, path: string): Promise<void> {
  await fs.unlink(path).catch(ignoreCodes('ENOENT'))
}
