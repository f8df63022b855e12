import { encodeUtf8, hasLoneSurrogate } from '../utf8.js'
import { sized } from './content.js'
import type { ArchiveEntries, ArchiveEntry } from './entry.js'
import { packError } from './faults.js'
import { checkPacked, nameInArchive } from './names.js'
import { paxRecord } from './pax.js'
import { inRuns } from './source.js'
import { BLOCK } from './tar-fields.js'

/** Options of `writeTar`. */
export interface WriteTarOptions {
  /**
   * Modification time of every entry, in milliseconds since the epoch. `keep` uses each entry's own time if it has one. Default 0, so that
   * the same entries produce the same bytes.
   */
  readonly mtimeMs?: number | 'keep'
  readonly signal?: AbortSignal
}

/** The largest number that fits into eleven octal digits. */
const MAX_OCTAL = 0o77777777777
const MAX_PATH_BYTES = 4096
const NAME_BYTES = 100
const PREFIX_BYTES = 155
const DEFAULT_MODE = { file: 0o644, dir: 0o755, symlink: 0o777 } as const
const TYPE = { file: '0', dir: '5', symlink: '2' } as const
const ASCII = /^[\x20-\x7e]*$/

/**
 * Writes a ustar archive, with a pax header before entries that need one (long or non-ASCII names, huge files, fractional times). The owner
 * is 0:0. Keeps the order of the entries. Yields chunks of about 64 KiB. Default modes are 0644 and 0755.
 *
 * @throws {InputError} for unsafe paths and targets, and for content that does not match its size
 */
export function writeTar(entries: ArchiveEntries, options: WriteTarOptions = {}): AsyncGenerator<Uint8Array> {
  return inRuns(blocks(entries, options))
}

async function* blocks(entries: ArchiveEntries, { mtimeMs = 0, signal }: WriteTarOptions): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    signal?.throwIfAborted()
    yield* headers(entry, mtimeMs === 'keep' ? (entry.mtimeMs ?? 0) : mtimeMs)
    const { path, kind, size, content = new Uint8Array(0) } = entry
    if (kind !== 'file') continue
    for await (const part of sized(path, size, content)) {
      signal?.throwIfAborted()
      yield part
    }
    if (size % BLOCK > 0) yield new Uint8Array(BLOCK - (size % BLOCK))
  }
  yield new Uint8Array(2 * BLOCK)
}

function* headers(entry: ArchiveEntry, mtimeMs: number): Generator<Uint8Array> {
  const { kind } = entry
  const path = checked(entry)
  const written = entry.name ?? nameInArchive(path)
  const name = kind === 'dir' && !written.endsWith('/') ? `${written}/` : written
  const target = kind === 'symlink' ? (entry.target ?? '') : ''
  const size = kind === 'file' ? entry.size : 0
  const seconds = Math.floor(mtimeMs / 1000)
  const records: string[] = []
  const split = splitName(name)
  if (!split) records.push(paxRecord('path', name))
  const shortTarget = ASCII.test(target) && target.length <= NAME_BYTES
  if (!shortTarget) records.push(paxRecord('linkpath', target))
  if (size > MAX_OCTAL) records.push(paxRecord('size', String(size)))
  const plainTime = mtimeMs === seconds * 1000 && seconds >= 0 && seconds <= MAX_OCTAL
  if (!plainTime) records.push(paxRecord('mtime', String(mtimeMs / 1000)))
  if (records.length > 0) {
    const bytes = encodeUtf8(records.join(''))
    yield header({ name: '././@PaxHeader', prefix: '', type: 'x', mode: 0o644, size: bytes.length, seconds: 0, target: '' })
    yield padded(bytes)
  }
  yield header({
    ...(split ?? { name: replaced(name), prefix: '' }),
    type: TYPE[kind],
    mode: (entry.mode ?? DEFAULT_MODE[kind]) & 0o777,
    size: size > MAX_OCTAL ? 0 : size,
    seconds: plainTime ? seconds : 0,
    target: shortTarget ? target : replaced(target),
  })
}

/** @throws {InputError} */
function checked(entry: ArchiveEntry): string {
  const { path, kind, size, target } = entry
  checkPacked(entry, MAX_PATH_BYTES)
  if (!Object.hasOwn(TYPE, kind)) throw packError('is neither a file nor a directory nor a link', path)
  if (!Number.isSafeInteger(size) || size < 0) throw packError('has an invalid size', path)
  if (kind === 'symlink' && (!target || target.includes('\0') || hasLoneSurrogate(target))) {
    throw packError('is a link without a valid target', path)
  }
  return path
}

/** Splits a name at a slash into the header's fields `name` and `prefix`; undefined if the name does not fit. */
function splitName(name: string): { readonly name: string; readonly prefix: string } | undefined {
  if (!ASCII.test(name)) return undefined
  if (name.length <= NAME_BYTES) return { name, prefix: '' }
  // Split at the first slash after which the rest is short enough, but not at the trailing slash of a directory.
  const slash = name.indexOf('/', name.length - NAME_BYTES - 1)
  if (slash < 1 || slash > PREFIX_BYTES || slash >= name.length - 1) return undefined
  return { name: name.slice(slash + 1), prefix: name.slice(0, slash) }
}

/** Returns the name for programs without pax support. */
function replaced(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '_').slice(0, NAME_BYTES)
}

interface Fields {
  readonly name: string
  readonly prefix: string
  readonly type: string
  readonly mode: number
  readonly size: number
  readonly seconds: number
  readonly target: string
}

function header({ name, prefix, type, mode, size, seconds, target }: Fields): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const put = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i++) block[at + i] = text.charCodeAt(i)
  }
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`
  put(0, name)
  put(100, octal(mode, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(size, 11))
  put(136, octal(seconds, 11))
  put(148, ' '.repeat(8))
  put(156, type)
  put(157, target)
  put(257, 'ustar\x0000')
  put(329, octal(0, 7))
  put(337, octal(0, 7))
  put(345, prefix)
  let sum = 0
  for (const byte of block) sum += byte
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return block
}

function padded(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK)
  all.set(bytes)
  return all
}
