import { FsError, hasCode } from '../../../errors/index.js'
import { forEachLimited } from '../../../ops/concurrency.js'
import type { Checkpoint } from '../../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../../types/fs.js'
import { dropped, type State } from '../engine.js'
import { readState } from '../entry-state.js'
import { listIfAny } from '../folders.js'
import { type About, type CheckpointFolder, heldBy, writeAbout } from './folder.js'
import { checksum, decodeImage, encodeImage, type Image, LONGEST_HEAD, type StoredImage } from './image.js'

const AT_ONCE = 16
/** Number of bytes to read first from an image. The first line of most images is shorter. */
const HEAD = 512
const NOTHING = new Uint8Array(0)
const NONE: Image = { kind: 'none', size: 0 }

interface Kept {
  readonly image: StoredImage
  /** Name of the image's file. */
  readonly number: number
}

/**
 * One checkpoint, with an image of each path that changed before the next checkpoint. An image is stored before its change starts. So an
 * image whose change never happened equals the tree, and a truncated image can be ignored.
 */
export class Segment {
  readonly checkpoint: Checkpoint
  readonly path: string
  readonly #fs: FsAdapter
  readonly #flushes: boolean
  readonly #images = new Map<string, Kept>()
  /** Sizes in bytes of the files in the folder, by file name. */
  readonly #sizes: Map<string, number>
  /** The checkpoint's record, until it is stored in its own file or in an image. */
  #unsaid: About | undefined
  #saying: Promise<void> | undefined
  readonly #pending = new Map<string, Promise<void>>()
  #loading: Promise<void> | undefined
  #next: number
  /** Number of the last complete image. */
  #last: number
  /** Numbers that were assigned to images, but whose images are not complete. */
  readonly #open = new Set<number>()
  /** Whether another program has removed an image. */
  #lacks = false
  #dropped = false

  constructor(fs: FsAdapter, { path, sizes, unsaid }: CheckpointFolder, checkpoint: Checkpoint, flushes: boolean) {
    this.#fs = fs
    this.#flushes = flushes
    this.path = path
    this.checkpoint = checkpoint
    this.#sizes = new Map(sizes)
    this.#unsaid = unsaid
    this.#last = Math.max(0, ...this.#numbers())
    this.#next = this.#last + 1
  }

  /** Stores the checkpoint's record in its own file, unless an image already contains the record. */
  async say(): Promise<void> {
    if (!this.#unsaid) return
    this.#saying ??= this.#say(this.#unsaid).finally(() => {
      this.#saying = undefined
    })
    await this.#saying
  }

  async #say(about: About): Promise<void> {
    const [name, size] = await writeAbout(this.#fs, this.path, about)
    this.#sizes.set(name, size)
    this.#unsaid = undefined
    if (this.#flushes) await this.#fs.flush()
  }

  /** Names of the stored files. */
  get names(): Iterable<string> {
    return this.#sizes.keys()
  }

  /** Number of the last image. The record of the next checkpoint contains this number. */
  get last(): number {
    return this.#last
  }

  /**
   * Returns false if another program removed one of the files. If a program removed the last images while the storage was closed, only the
   * last image's number in the next checkpoint's record shows the loss.
   */
  async isWhole(): Promise<boolean> {
    const names = [...this.#sizes.keys()]
    if (names.length === 0) return this.#dropped || isDirectory(this.#fs, this.path)
    const there = new Set((await listIfAny(this.#fs, this.path)).map(({ name }) => name))
    if (this.#dropped) return true
    if (!names.every((name) => there.has(name))) return false
    if (this.#numbers().length < this.#last) await this.load()
    return !this.#lacks
  }

  /** Paths with an image. Call `load` first. */
  *paths(): Generator<string> {
    for (const { image } of this.#images.values()) yield image.path
  }

  /** Space used by the folder and its files. */
  get held(): FsUsage {
    return heldBy(this.#sizes)
  }

  /** Waits until all running calls of `record` have ended. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending.values())
  }

  /** Stops recording. */
  drop(): void {
    this.#dropped = true
  }

  /** Reads the first lines of all images, once. */
  load(): Promise<void> {
    this.#loading ??= this.#readImages().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /**
   * Returns the state of a path at this checkpoint, if the path changed before the next checkpoint. Otherwise returns undefined: the state
   * is that of the next checkpoint. Call `load` first.
   */
  find(path: string): Image | undefined {
    const own = this.#images.get(this.#key(path))
    if (own) return own.image
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = this.#images.get(this.#key(path.slice(0, end)))
      if (above && above.image.kind !== 'dir') return NONE
    }
    return undefined
  }

  /** Reads the content of a file that `find` returned. @throws {FsError} EIO: damaged or missing; ESTALE: the checkpoint was dropped */
  async read(image: Image): Promise<Uint8Array> {
    const kept = this.#images.get(this.#key((image as StoredImage).path))
    const { start = 0, sum } = kept?.image ?? {}
    const bytes = await this.#fs.read(`${this.path}/${kept?.number}`, { offset: start }).catch((error: unknown): undefined => {
      if (this.#dropped) throw dropped(this.checkpoint.id)
      if (!hasCode(error, 'ENOENT')) throw error
    })
    if (bytes?.length === image.size && checksum(bytes) === sum) return bytes
    const detail = `its stored content is ${bytes ? 'damaged' : 'missing'}`
    throw new FsError({ code: 'EIO', op: 'read', path: (image as StoredImage).path, detail })
  }

  /** Stores an image of each path that has none yet. @throws {FsError} ENOSPC, EIO: the caller must not change the paths */
  async record(paths: readonly string[]): Promise<void> {
    await this.load()
    for (let left = this.#uncovered(paths); left.length > 0 && !this.#dropped; left = this.#uncovered(paths)) {
      const others = left.flatMap((path) => this.#pending.get(path) ?? [])
      const own = left.filter((path) => !this.#pending.has(path))
      const recorded = own.length > 0 ? this.#start(own) : undefined
      await Promise.all([recorded, ...others])
    }
  }

  /** Whether a path already has an image. Call `load` first. */
  covers(path: string): boolean {
    return this.find(path) !== undefined
  }

  #uncovered(paths: readonly string[]): string[] {
    return paths.filter((path) => !this.covers(path))
  }

  async #start(paths: readonly string[]): Promise<void> {
    const recorded = this.#keepAll(paths).finally(() => {
      for (const path of paths) this.#pending.delete(path)
    })
    for (const path of paths) this.#pending.set(path, recorded)
    await recorded
  }

  async #keepAll(paths: readonly string[]): Promise<void> {
    const kept: Kept[] = []
    try {
      await forEachLimited(paths, AT_ONCE, async (path) => void kept.push(await this.#keep(path)))
      if (this.#flushes) await this.#fs.flush()
    } catch (error) {
      // The checkpoint was dropped meanwhile, so its images are not needed.
      if (this.#dropped) return
      if (!hasCode(error, 'ENOSPC')) throw error
      const detail = 'there is no space to keep the old content for checkpoints'
      throw new FsError({ code: 'ENOSPC', op: 'keep', path: error.path, detail, cause: error })
    }
    for (const one of kept) this.#images.set(this.#key(one.image.path), one)
  }

  async #keep(path: string): Promise<Kept> {
    const state = await readState(this.#fs, path)
    const content = state?.kind === 'file' ? await this.#fs.read(path) : NOTHING
    const image = state ? imageOf(state, content) : NONE
    const { number, start } = await this.#write(path, image, content)
    return { number, image: { ...image, path, start, sum: checksum(content) } }
  }

  /** Writes an image under the next number that no other process uses. */
  async #write(path: string, image: Image, content: Uint8Array): Promise<{ readonly number: number; readonly start: number }> {
    const number = this.#next++
    const bytes = encodeImage(path, image, content, [...this.#open], this.#unsaid)
    this.#open.add(number)
    try {
      // Until the record is stored, no other process writes to this folder. So a plain write is safe, and on a disk it costs half as much
      // as an exclusive one.
      await this.#fs.write(`${this.path}/${number}`, bytes, { create: this.#unsaid ? 'always' : 'exclusive' })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      this.#open.delete(number)
      return this.#write(path, image, content)
    }
    this.#sizes.set(String(number), bytes.length)
    this.#open.delete(number)
    this.#unsaid = undefined
    this.#last = Math.max(this.#last, number)
    return { number, start: bytes.length - content.length }
  }

  async #readImages(): Promise<void> {
    const found: Kept[] = []
    const numbers = this.#numbers()
    await forEachLimited(numbers, AT_ONCE, async (number) => {
      const image = await this.#readImage(`${this.path}/${number}`, this.#sizes.get(String(number)) as number)
      if (image) found.push({ image, number })
    })
    const there = new Set(numbers)
    for (let number = 1; number < this.#last; number++) if (!there.has(number)) this.#open.add(number)
    this.#lacks = found.some((one) => [...this.#open].some((number) => number < one.number && !one.image.open?.includes(number)))
    // If a path has several images, the image with the lowest number has the state at the checkpoint. Sort it last, so that it stays in the
    // map.
    for (const kept of found.sort((a, b) => b.number - a.number)) this.#images.set(this.#key(kept.image.path), kept)
  }

  async #readImage(file: string, length: number): Promise<StoredImage | undefined> {
    // Without atomic writes, the image may be truncated, so read and check all of it.
    const whole = !this.#fs.can.atomicReplace
    for (let size = whole ? length : HEAD; ; size = LONGEST_HEAD) {
      const head = await this.#fs.read(file, { length: size })
      const image = decodeImage(head, length)
      if (image === 'more' && size < LONGEST_HEAD) continue
      if (image === undefined || image === 'more') return undefined
      return whole && image.kind === 'file' && checksum(head.subarray(image.start)) !== image.sum ? undefined : image
    }
  }

  #numbers(): number[] {
    return [...this.#sizes.keys()].map(Number).filter(Number.isInteger)
  }

  /** Returns the map key of a path. If the storage ignores case, two spellings of a path share one key. */
  #key(path: string): string {
    return this.#fs.can.caseSensitive ? path : path.toLowerCase()
  }
}

function imageOf({ kind, size, mode, target }: State, content: Uint8Array): Image {
  return {
    kind,
    size: kind === 'file' ? content.length : size,
    ...(mode !== undefined && { mode }),
    ...(target !== undefined && { target }),
  }
}

async function isDirectory(fs: FsAdapter, path: string): Promise<boolean> {
  return (await readState(fs, path))?.kind === 'dir'
}
