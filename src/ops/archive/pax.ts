import { decodeUtf8 } from '../utf8.js'
import { archiveError } from './faults.js'

/** The supported records of a pax header. An empty value resets the value of an earlier header. */
export interface PaxRecords {
  readonly path?: string
  readonly linkpath?: string
  readonly size?: string
  readonly mtime?: string
}

const KNOWN = new Set(['path', 'linkpath', 'size', 'mtime'])
const SPACE = 0x20
const NEWLINE = 0x0a
const EQUALS = 0x3d

/**
 * Parses records of the form `length key=value\n`. Ignores unsupported keys.
 *
 * @throws {InputError} `corrupt`; `unsupported` for a sparse file, whose content differs from the stored bytes
 */
export function parsePax(bytes: Uint8Array): PaxRecords {
  const found: Record<string, string> = {}
  for (let at = 0; at < bytes.length; ) {
    // Some programs pad with NULs.
    if (bytes[at] === 0) break
    const space = bytes.indexOf(SPACE, at)
    const length = space < 0 || space - at > 10 ? Number.NaN : decimal(bytes, at, space)
    const end = at + length
    const equals = bytes.indexOf(EQUALS, space)
    if (!(end > space + 1) || end > bytes.length || bytes[end - 1] !== NEWLINE || equals < 0 || equals >= end) {
      throw archiveError('corrupt', 'a pax header has a record that cannot be read')
    }
    const key = decodeUtf8(bytes.subarray(space + 1, equals))
    if (key?.startsWith('GNU.sparse.')) throw archiveError('unsupported', 'it contains a sparse file (GNU.sparse), which is not supported')
    if (key !== undefined && KNOWN.has(key)) found[key] = textOf(key, bytes.subarray(equals + 1, end - 1))
    at = end
  }
  return found
}

/** Creates a record. The length at its start includes the digits of the length. */
export function paxRecord(key: string, value: string): string {
  const body = ` ${key}=${value}\n`
  const bytes = new TextEncoder().encode(body).length
  let length = bytes + 1
  while (String(length).length + bytes !== length) length = String(length).length + bytes
  return `${length}${body}`
}

function textOf(key: string, bytes: Uint8Array): string {
  const value = decodeUtf8(bytes)
  if (value === undefined) throw archiveError('name', `a pax header has a ${key} that is not UTF-8`)
  return value
}

function decimal(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] as number) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return end > start ? value : Number.NaN
}
