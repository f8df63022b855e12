import { limitsOf } from '../../../../src/ops/archive/limits.js'
import { crc32 } from '../../../../src/ops/archive/zip/crc32.js'
import { readDirectory } from '../../../../src/ops/archive/zip/directory.js'
import { DEFLATED, S_IFDIR, S_IFLNK, S_IFMT } from '../../../../src/ops/archive/zip/format.js'
import { type Located, locateAll } from '../../../../src/ops/archive/zip/local.js'
import type { Packed } from '../../../../src/ops/archive/zip/records.js'
import { fitsWildcard } from '../../../../src/ops/wildcard.js'
import { CutOff, Damaged, inflate } from '../gzip/inflate.js'
import { Failure } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'

/** Exit status for a damaged archive or for unsupported content. */
const BAD = 3

/** @throws {Failure} for a damaged archive */
export function readArchive(bytes: Uint8Array): readonly Located[] {
  try {
    return locateAll(bytes, readDirectory(bytes, limitsOf(undefined).entries))
  } catch (error) {
    if (error instanceof Error && (error.name === 'InputError' || error.name === 'FsError')) throw new Failure(error.message, BAD)
    throw error
  }
}

/** Returns a member with its data as compressed in the archive. */
export function packedOf({ record, data }: Located): Packed {
  const { rawName, method, crc, size, unixMode = 0, mtimeMs, name } = record
  return {
    name: rawName,
    method,
    crc,
    data,
    size,
    attributes: (unixMode * 0x10000 + (name.endsWith('/') ? 0x10 : 0)) >>> 0,
    offset: 0,
    mtimeMs,
  }
}

/** @throws {Failure} for damaged data, or if the content is larger than `most` bytes */
export async function contentOf({ record, data }: Located, pace: Pace, most: number): Promise<Uint8Array> {
  const { name, size, crc, method } = record
  const bad = (words: string): Failure => new Failure(`${name}: ${words}`, BAD)
  if (size > most) throw bad(`its ${size} bytes are more than the limit of ${most}`)
  const turn = async (made: number): Promise<void> => {
    if (made > size) throw bad('the content is larger than its stated size')
    await pace.turn(1000)
  }
  const bytes =
    method === DEFLATED
      ? await inflate(data, 0, turn).then(
          (result) => result.bytes,
          (error: unknown) => {
            throw error instanceof CutOff || error instanceof Damaged ? bad('invalid compressed data to inflate') : error
          },
        )
      : data
  if (bytes.length !== size) throw bad('the content does not have its stated size')
  if (crc32(bytes) !== crc) throw bad(`bad CRC (should be ${crc.toString(16).padStart(8, '0')})`)
  return bytes
}

export const isFolder = ({ name, unixMode = 0 }: Located['record']): boolean => name.endsWith('/') || (unixMode & S_IFMT) === S_IFDIR
export const isLink = ({ unixMode = 0 }: Located['record']): boolean => (unixMode & S_IFMT) === S_IFLNK

/** Whether any pattern matches. Stars match slashes. @throws {Failure} for bracket expressions */
export function fits(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    if (pattern.includes('[')) throw new Failure(`bracket patterns are not supported in this shell: '${pattern}'`, BAD)
    return pattern === name || fitsWildcard(pattern, name, '?')
  })
}

/** Expands options that take lists: `-x a b` means `-x a -x b`. A list ends at the next option or at `@`. */
export function listed(args: readonly string[], options: readonly string[]): string[] {
  const out: string[] = []
  let open: string | undefined
  for (const arg of args) {
    if (open !== undefined && arg === '@') open = undefined
    else if (options.includes(arg)) open = arg
    else if (open !== undefined && !arg.startsWith('-')) out.push(open, arg)
    else {
      open = undefined
      out.push(arg)
    }
  }
  return out
}
