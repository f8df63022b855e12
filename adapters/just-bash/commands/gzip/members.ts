import { collectBytes } from '../../../../src/ops/archive/source.js'
import { crc32 } from '../../../../src/ops/archive/zip/crc32.js'
import { bytesOfText, textOfBytes } from '../shared/bytes.js'
import { Failure } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'
import { CutOff, Damaged, inflate } from './inflate.js'

/** Number of bytes per write to the stream. */
const SLICE = 64 * 1024
const HEADER = 10
const TRAILER = 8
/** Number of bytes to checksum between two checks whether to yield to the event loop. */
const TURN = 256 * 1024

/** Header fields about the file in a gzip member. */
export interface MemberHeader {
  /** The base name, or undefined if the header has none. */
  readonly name?: string | undefined
  /** Modification time in seconds since the epoch. 0 means unknown. */
  readonly mtimeSeconds: number
  /** The extra flags (XFL): 2 for the best compression, 4 for the fastest. */
  readonly effort?: number
}

const HAS_NAME = 8

export async function compressed(bytes: Uint8Array, pace: Pace, header: MemberHeader = { mtimeSeconds: 0 }): Promise<Uint8Array> {
  const packed = await collectBytes(through(new CompressionStream('gzip'), bytes, pace, Number.POSITIVE_INFINITY))
  const { name, mtimeSeconds, effort = 0 } = header
  const view = new DataView(packed.buffer, packed.byteOffset)
  view.setUint32(4, mtimeSeconds > 0 && mtimeSeconds < 2 ** 32 ? mtimeSeconds : 0, true)
  packed[8] = effort
  // Write 3 (Unix) as the operating system. Otherwise, some runtimes write the one of the host.
  packed[9] = 3
  if (name === undefined) return packed
  packed[3] = HAS_NAME
  return collectBytes([packed.subarray(0, HEADER), bytesOfText(`${name}\0`), packed.subarray(HEADER)])
}

/** Parses the header of the first member. `end`: offset of the compressed data. @throws {Failure} if the header is invalid */
export function headerOf(bytes: Uint8Array): MemberHeader & { readonly end: number } {
  const end = bodyStart(bytes, 0)
  const mtimeSeconds = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)
  const flags = bytes[3] as number
  if (!(flags & HAS_NAME)) return { mtimeSeconds, end }
  const from = HEADER + (flags & 4 ? 2 + extraLength(bytes, HEADER) : 0)
  return { name: textOfBytes(bytes.subarray(from, bytes.indexOf(0, from))).replace(/^.*\//s, ''), mtimeSeconds, end }
}

const extraLength = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)

export interface Unpacked {
  readonly bytes: Uint8Array
  /** Whether other data follows the last member. */
  readonly garbage: boolean
}

/** @throws {Failure} with gzip's message, or if the content is larger than `most` bytes */
export async function decompressed(bytes: Uint8Array, pace: Pace, most: number): Promise<Unpacked> {
  if (!isGzip(bytes, 0)) throw new Failure('not in gzip format')
  const quick = await quickly(bytes, pace, most)
  return quick ? { bytes: quick, garbage: false } : thoroughly(bytes, pace, most)
}

export const isGzip = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0x1f && bytes[at + 1] === 0x8b

/**
 * Decompresses with the stream of the runtime. Returns undefined unless the data is one complete member, because runtimes treat other data
 * differently.
 */
async function quickly(bytes: Uint8Array, pace: Pace, most: number): Promise<Uint8Array | undefined> {
  try {
    const all = await collectBytes(through(new DecompressionStream('gzip'), bytes, pace, most))
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true)
    return size === all.length % 2 ** 32 ? all : undefined
  } catch (error) {
    if (error instanceof TypeError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

async function* through(
  { readable, writable }: CompressionStream,
  bytes: Uint8Array,
  pace: Pace,
  most: number,
): AsyncGenerator<Uint8Array> {
  const writer = writable.getWriter()
  const reader = readable.getReader()
  const feed = async (): Promise<void> => {
    for (let at = 0; at < bytes.length; at += SLICE) await writer.write(bytes.slice(at, at + SLICE))
    await writer.close()
  }
  // Ignored here: a write error also rejects the read below.
  const feeding = feed().catch(() => undefined)
  let size = 0
  let whole = false
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length
      if (size > most) throw tooLarge(most)
      yield next.value
      await pace.turn(next.value.length / 100)
    }
    whole = true
    await feeding
  } finally {
    if (!whole) {
      reader.cancel().catch(() => undefined)
      writer.abort().catch(() => undefined)
    }
  }
}

const tooLarge = (most: number): Failure => new Failure(`the content is larger than the limit of ${most} bytes`)

/** Decompresses with our own decoder, member by member. */
async function thoroughly(bytes: Uint8Array, pace: Pace, most: number): Promise<Unpacked> {
  const parts: Uint8Array[] = []
  let size = 0
  let at = 0
  while (at < bytes.length && isGzip(bytes, at)) {
    const turn = async (made: number): Promise<void> => {
      if (size + made > most) throw tooLarge(most)
      await pace.turn(1000)
    }
    const begin = bodyStart(bytes, at)
    const member = await inflate(bytes, begin, turn).catch((error: unknown) => {
      if (error instanceof CutOff) throw new Failure('unexpected end of file')
      throw error instanceof Damaged ? new Failure('invalid compressed data--format violated') : error
    })
    if (member.end + TRAILER > bytes.length) throw new Failure('unexpected end of file')
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + member.end, TRAILER)
    if (trailer.getUint32(0, true) !== (await checksumOf(member.bytes, pace))) throw new Failure('invalid compressed data--crc error')
    if (trailer.getUint32(4, true) !== member.bytes.length) throw new Failure('invalid compressed data--length error')
    parts.push(member.bytes)
    size += member.bytes.length
    at = member.end + TRAILER
  }
  return { bytes: await collectBytes(parts), garbage: bytes.subarray(at).some((byte) => byte !== 0) }
}

/** Returns the offset after a header, which includes the name and the comment. @throws {Failure} if the header is invalid */
function bodyStart(bytes: Uint8Array, at: number): number {
  if (bytes.length < at + HEADER) throw new Failure('unexpected end of file')
  if (bytes[at + 2] !== 8) throw new Failure(`unknown method ${bytes[at + 2]} -- not supported`)
  const flags = bytes[at + 3] as number
  let next = at + HEADER
  if (flags & 4) next += 2 + extraLength(bytes, next)
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue
    const end = bytes.indexOf(0, next)
    if (end < 0) throw new Failure('unexpected end of file')
    next = end + 1
  }
  return flags & 2 ? next + 2 : next
}

async function checksumOf(bytes: Uint8Array, pace: Pace): Promise<number> {
  let sum = 0
  for (let from = 0; from < bytes.length; from += TURN) {
    sum = crc32(bytes.subarray(from, from + TURN), sum)
    await pace.turn(TURN / 200)
  }
  return sum
}
