import { decodeUtf8 } from '../utf8.js'
import { archiveError } from './faults.js'

export const BLOCK = 512
const CHECKSUM = { start: 148, end: 156 }
const SPACE = 0x20

/** The raw values of one header block. */
export interface TarHeader {
  /** The name including the prefix. */
  readonly name: string
  /** The type of the entry: one character; `0` for a NUL. */
  readonly type: string
  readonly size: number
  /** Undefined if the field is empty or unreadable. */
  readonly mode: number | undefined
  readonly mtime: number | undefined
  readonly linkName: string
}

/** @throws {InputError} `corrupt`, `format` */
export function parseHeader(block: Uint8Array, position: number): TarHeader {
  if (!checksumFits(block)) {
    throw position === 0
      ? archiveError('format', 'it is not a tar archive')
      : archiveError('corrupt', `the header at byte ${position} does not match its checksum`)
  }
  const name = withPrefix(block, text(block, 0, 100, position))
  const size = number(block, 124, 136)
  if (size === undefined || size < 0 || !Number.isSafeInteger(size)) throw archiveError('corrupt', 'has a size that cannot be read', name)
  const type = block[156] === 0 ? '0' : String.fromCharCode(block[156] as number)
  const linkName = text(block, 157, 257, position)
  return { name, type, size, mode: number(block, 100, 108), mtime: number(block, 136, 148), linkName }
}

/** Whether a block has a correct checksum, so that it may be the header of an entry. */
export function checksumFits(block: Uint8Array): boolean {
  const said = number(block, CHECKSUM.start, CHECKSUM.end)
  let unsigned = 0
  let signed = 0
  for (let i = 0; i < BLOCK; i++) {
    const byte = i >= CHECKSUM.start && i < CHECKSUM.end ? SPACE : (block[i] as number)
    unsigned += byte
    // Early programs computed the sum with signed characters.
    signed += byte > 127 ? byte - 256 : byte
  }
  return said === unsigned || said === signed
}

export function isZero(block: Uint8Array): boolean {
  for (let i = 0; i < block.length; i++) if (block[i] !== 0) return false
  return true
}

/**
 * Returns the name with the prefix field in front. POSIX stores the start of a long path in this field. GNU, with another magic, stores
 * times there, and star uses half of the field.
 */
function withPrefix(block: Uint8Array, name: string): string {
  if (latin(block, 257, 263) !== 'ustar\0') return name
  const end = latin(block, 508, 512) === 'tar\0' ? 476 : 500
  const prefix = text(block, 345, end, 0)
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Decodes a text field up to the first NUL. @throws {InputError} `name` */
function text(block: Uint8Array, start: number, end: number, position: number): string {
  const field = block.subarray(start, end)
  const length = field.indexOf(0)
  const decoded = decodeUtf8(length < 0 ? field : field.subarray(0, length))
  if (decoded === undefined) throw archiveError('name', `the name in the header at byte ${position} is not UTF-8`)
  return decoded
}

/**
 * Decodes a number field: octal digits between spaces and NULs, or a base-256 number if the highest bit is set. An empty field is 0.
 * Undefined for other content.
 */
function number(block: Uint8Array, start: number, end: number): number | undefined {
  const first = block[start] as number
  if (first === 0x80 || first === 0xff) return base256(block, start, end)
  const digits = /^ *([0-7]*)(?:[ \0]|$)/.exec(latin(block, start, end))?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits || '0', 8)
}

/** Decodes a base-256 number: two's complement, with only the sign in the first byte. */
function base256(block: Uint8Array, start: number, end: number): number {
  const negative = block[start] === 0xff
  let value = negative ? -1 : 0
  for (let i = start + 1; i < end; i++) value = value * 256 + (block[i] as number)
  return value
}

function latin(block: Uint8Array, start: number, end: number): string {
  let all = ''
  for (let i = start; i < end; i++) all += String.fromCharCode(block[i] as number)
  return all
}
