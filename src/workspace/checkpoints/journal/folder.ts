import type { Checkpoint } from '../../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../../types/fs.js'
import { parseAbout } from '../about.js'
import { RESERVED } from '../engine.js'
import { listIfAny, makeDirectories } from '../folders.js'

/** That of all checkpoints. */
export const FOLDER: string = `/${RESERVED}/journal`

const FORMAT = 1
/** In the folder of a checkpoint; all other names there are numbers of images. */
const ABOUT = 'checkpoint'
const ID = /^c[1-9]\d{0,14}$/
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The folder of a checkpoint: what it says about itself, and the names and sizes in it. */
export interface CheckpointFolder {
  readonly path: string
  readonly id: string
  /** Absent: it was being made or being dropped when somebody stopped. */
  readonly checkpoint?: Checkpoint
  readonly sizes: ReadonlyMap<string, number>
  /** The one before it when it was made: without that, and all that is kept in it, the ones before cannot be had. */
  readonly after?: string
  /** The number of the last image that was kept in that one by then. */
  readonly lastBefore?: number
}

/** A checkpoint, when the next one is made. */
export interface Previous {
  readonly id: string
  /** The number of its last image; 0: it has none. */
  readonly last: number
}

/** Every folder that there is, in the order of their numbers. @throws {FsError} ENOTSUP: a later version made one */
export async function readFolders(fs: FsAdapter): Promise<CheckpointFolder[]> {
  const folders: CheckpointFolder[] = []
  for (const { name, kind } of await listIfAny(fs, FOLDER)) if (kind === 'dir' && ID.test(name)) folders.push(await readFolder(fs, name))
  return folders.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
}

export function folderOf(id: string): string {
  return `${FOLDER}/${id}`
}

/** The folder and the files in it. */
export function heldBy(sizes: ReadonlyMap<string, number>): FsUsage {
  let bytes = 0
  for (const size of sizes.values()) bytes += size
  return { bytes, files: sizes.size + 1 }
}

/** Makes the folder of a checkpoint, which is one when all of it is there. What a failure leaves is none. */
export async function makeFolder(fs: FsAdapter, checkpoint: Checkpoint, previous: Previous | undefined): Promise<CheckpointFolder> {
  const path = folderOf(checkpoint.id)
  await makeDirectories(fs, `/${RESERVED}`, FOLDER, path)
  const about = encoder.encode(JSON.stringify({ format: FORMAT, ...checkpoint, after: previous?.id, lastBefore: previous?.last }))
  await fs.write(`${path}/${ABOUT}`, about, { create: 'exclusive' })
  if (!fs.can.durableOnAck) await fs.flush()
  return { path, id: checkpoint.id, checkpoint, sizes: new Map([[ABOUT, about.length]]) }
}

/** What it says about itself goes first: from then on it is none, whenever this is stopped. */
export async function removeFolder(fs: FsAdapter, path: string): Promise<void> {
  const names = (await listIfAny(fs, path)).map(({ name }) => name)
  if (names.includes(ABOUT)) await fs.unlink(`${path}/${ABOUT}`)
  if (!fs.can.durableOnAck) await fs.flush()
  for (const name of names) if (name !== ABOUT) await fs.unlink(`${path}/${name}`)
  if (names.length > 0 || (await exists(fs, path))) await fs.rmdir(path)
}

async function readFolder(fs: FsAdapter, id: string): Promise<CheckpointFolder> {
  const path = folderOf(id)
  const sizes = new Map<string, number>()
  for (const { name, kind, size } of await fs.readdir(path)) {
    if (kind === 'file') sizes.set(name, size ?? (await fs.lstat(`${path}/${name}`)).size)
  }
  const about = sizes.has(ABOUT) ? decoder.decode(await fs.read(`${path}/${ABOUT}`)) : undefined
  const checkpoint = about === undefined ? undefined : parseAbout(id, about, FORMAT, FOLDER)
  if (!checkpoint) return { path, id, sizes }
  const { after, lastBefore } = JSON.parse(about as string) as { readonly after?: unknown; readonly lastBefore?: unknown }
  return { path, id, sizes, checkpoint, ...(typeof after === 'string' && { after }), ...(typeof lastBefore === 'number' && { lastBefore }) }
}

async function exists(fs: FsAdapter, path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    () => false,
  )
}
