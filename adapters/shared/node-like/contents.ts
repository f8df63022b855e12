import type { CreateMode, ReadOptions } from '../../../src/types/fs.js'
import { Fault } from '../fault.js'
import { checkFile, type Files } from './files.js'

const FILE_MODE = 0o644
const PERMISSION_BITS = 0o7777

export async function read(files: Files, path: string, { offset = 0, length }: ReadOptions): Promise<Uint8Array> {
  await files.findFile(path)
  const bytes = await contentOf(files, path)
  const wanted = length ?? bytes.length
  if (!(offset >= 0 && wanted >= 0)) throw new Fault('EINVAL', 'offset and length must be 0 or more')
  // The `slice` of a Node Buffer would share the Buffer's memory.
  return new Uint8Array(bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + wanted, bytes.length)))
}

/** Writes a file. `bytes` must be a copy that the caller does not change any more. */
export async function write(files: Files, path: string, bytes: Uint8Array, create: CreateMode): Promise<void> {
  const entry = await files.at(path)
  if (!entry && create === 'never') throw new Fault('ENOENT')
  if (entry && create === 'exclusive') throw new Fault('EEXIST')
  if (entry) checkFile(entry)
  await put(files, path, bytes, entry !== undefined)
}

export async function append(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await files.findFile(path)
  const before = await contentOf(files, path)
  const after = new Uint8Array(before.length + bytes.length)
  after.set(before)
  after.set(bytes, before.length)
  await put(files, path, after, true)
}

/** Copies the content and the mode of a file. */
export async function copy(files: Files, from: string, to: string): Promise<void> {
  const source = await files.findFile(from)
  const target = await files.at(to)
  if (from === to) return
  if (target) checkFile(target)
  await put(files, to, new Uint8Array(await contentOf(files, from)), target !== undefined, Number(source.stats.mode) & PERMISSION_BITS)
}

/** @param mode mode to set, for an existing file too */
async function put(files: Files, path: string, bytes: Uint8Array, isThere: boolean, mode?: number): Promise<void> {
  await files.promises.writeFile(files.host(path), bytes, isThere ? {} : { flag: 'wx', mode: FILE_MODE })
  if (mode !== undefined && files.keepsModes) await files.promises.chmod(files.host(path), mode)
  await files.written(path)
}

async function contentOf(files: Files, path: string): Promise<Uint8Array> {
  const content: unknown = await files.promises.readFile(files.host(path))
  // Do not use `instanceof`, which fails for an array from another realm.
  if (!ArrayBuffer.isView(content)) throw new Fault('EIO', 'its content is missing')
  return content as Uint8Array
}
