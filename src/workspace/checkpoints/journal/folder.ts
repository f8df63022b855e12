import { hasCode, ignoreCodes } from '../../../errors/index.js'
import type { Checkpoint } from '../../../types/checkpoint.js'
import type { FsAdapter, FsUsage } from '../../../types/fs.js'
import { parseCheckpoint } from '../checkpoint-record.js'
import { RESERVED } from '../engine.js'
import { listIfAny, makeDirectories } from '../folders.js'
import { decodeImage, LONGEST_HEAD } from './image.js'

/** The folder of the journal, which contains one folder per checkpoint. */
export const FOLDER: string = `/${RESERVED}/journal`

const FORMAT = 1
/** Name of the record's file in a checkpoint's folder. All other files are images, named by number. */
const ABOUT = 'checkpoint'
const ID = /^c[1-9]\d{0,14}$/
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The folder of a checkpoint: its record, and the names and sizes of its files. */
export interface CheckpointFolder {
  readonly path: string
  readonly id: string
  /** Absent if a crash interrupted the creation or removal of the checkpoint. */
  readonly checkpoint?: Checkpoint
  readonly sizes: ReadonlyMap<string, number>
  /** The record, until it is stored with the first image or in its own file. */
  readonly unsaid?: About
  /** Id of the previous checkpoint. If that checkpoint or one of its images is missing, all earlier checkpoints are lost. */
  readonly after?: string
  /** Number of the last image of `after` when this checkpoint was made. */
  readonly lastBefore?: number
}

/** The newest checkpoint at the time when the next one is made. */
export interface Previous {
  readonly id: string
  /** Number of the checkpoint's last image; 0 if the checkpoint has no images. */
  readonly last: number
}

/** Reads all checkpoint folders, sorted by number. @throws {FsError} ENOTSUP if a later version of the library wrote one */
export async function readFolders(fs: FsAdapter): Promise<CheckpointFolder[]> {
  const folders: CheckpointFolder[] = []
  for (const { name, kind } of await listIfAny(fs, FOLDER)) if (kind === 'dir' && ID.test(name)) folders.push(await readFolder(fs, name))
  return folders.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
}

export function folderOf(id: string): string {
  return `${FOLDER}/${id}`
}

/** Space used by a folder and the files in it. */
export function heldBy(sizes: ReadonlyMap<string, number>): FsUsage {
  let bytes = 0
  for (const size of sizes.values()) bytes += size
  return { bytes, files: sizes.size + 1 }
}

/** The record of a checkpoint, stored in its own file or in its first images. */
export interface About extends Checkpoint {
  readonly format: number
  readonly after?: string
  readonly lastBefore?: number
}

/** Creates the folder of a checkpoint. Until its record is stored, the folder does not count as a checkpoint. */
export async function makeFolder(fs: FsAdapter, checkpoint: Checkpoint, previous: Previous | undefined): Promise<CheckpointFolder> {
  const path = folderOf(checkpoint.id)
  // The first checkpoint also creates the parent folders.
  if (previous) await fs.mkdir(path)
  else await makeDirectories(fs, `/${RESERVED}`, FOLDER, path)
  const about = { format: FORMAT, ...checkpoint, ...(previous && { after: previous.id, lastBefore: previous.last }) }
  return { path, id: checkpoint.id, checkpoint, unsaid: about, sizes: new Map() }
}

/** Writes the record. Returns the name and size of its file. */
export async function writeAbout(fs: FsAdapter, path: string, about: About): Promise<[string, number]> {
  const bytes = encoder.encode(JSON.stringify(about))
  await fs.write(`${path}/${ABOUT}`, bytes, { create: 'exclusive' })
  return [ABOUT, bytes.length]
}

/**
 * Removes the folder of a checkpoint. Removes the record first, so that the folder no longer counts as a checkpoint after an interrupted
 * removal.
 *
 * @param known names of the files that should be in the folder
 */
export async function removeFolder(fs: FsAdapter, path: string, known: Iterable<string>, flushes: boolean): Promise<void> {
  if (await removeFiles(fs, path, [...known], flushes)) return
  await removeFiles(
    fs,
    path,
    (await listIfAny(fs, path)).map(({ name }) => name),
    flushes,
  )
}

/** @returns false if the folder contains other files */
async function removeFiles(fs: FsAdapter, path: string, names: readonly string[], flushes: boolean): Promise<boolean> {
  if (names.includes(ABOUT)) {
    await unlinkIfAny(fs, `${path}/${ABOUT}`)
    if (flushes) await fs.flush()
  }
  for (const name of names.filter((one) => one !== ABOUT).sort((a, b) => Number(a) - Number(b))) await unlinkIfAny(fs, `${path}/${name}`)
  try {
    await fs.rmdir(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY')) return false
    if (!hasCode(error, 'ENOENT')) throw error
    return true
  }
}

async function unlinkIfAny(fs: FsAdapter, path: string): Promise<void> {
  await fs.unlink(path).catch(ignoreCodes('ENOENT'))
}

async function readFolder(fs: FsAdapter, id: string): Promise<CheckpointFolder> {
  const path = folderOf(id)
  const sizes = new Map<string, number>()
  for (const { name, kind, size } of await fs.readdir(path)) {
    if (kind === 'file') sizes.set(name, size ?? (await fs.lstat(`${path}/${name}`)).size)
  }
  const about = sizes.has(ABOUT) ? decoder.decode(await fs.read(`${path}/${ABOUT}`)) : await aboutInImages(fs, path, sizes)
  const checkpoint = about === undefined ? undefined : parseCheckpoint(id, about, FORMAT, FOLDER)
  if (!checkpoint) return { path, id, sizes }
  const { after, lastBefore } = JSON.parse(about as string) as { readonly after?: unknown; readonly lastBefore?: unknown }
  return { path, id, sizes, checkpoint, ...(typeof after === 'string' && { after }), ...(typeof lastBefore === 'number' && { lastBefore }) }
}

/** Reads the record from the first complete image: every image contains the record until one of them is complete. */
async function aboutInImages(fs: FsAdapter, path: string, sizes: ReadonlyMap<string, number>): Promise<string | undefined> {
  for (const name of [...sizes.keys()].filter(isNumber).sort((a, b) => Number(a) - Number(b))) {
    const image = decodeImage(await fs.read(`${path}/${name}`, { length: LONGEST_HEAD }), sizes.get(name) as number)
    if (image !== undefined && image !== 'more') return image.about && JSON.stringify(image.about)
  }
  return undefined
}

function isNumber(name: string): boolean {
  return Number.isInteger(Number(name))
}
