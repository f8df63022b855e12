import { FsError } from '../../errors/index.js'
import { joinBytes } from '../../ops/bytes.js'
import { decodeUtf8 } from '../../ops/utf8.js'
import type { WriteFileOptions } from '../../types/workspace.js'
import { encodeText } from '../content.js'
import { decode, type Encoding, encode, encodingNamed } from './encodings.js'
import { CallersError } from './to-errno.js'

/** An encoding, or options with one. Null or `buffer`: the call returns bytes. */
export type NodeEncoding = string | { readonly encoding?: string | null } | null | undefined

/** A path as a string, as UTF-8 bytes, or as a `file:` URL. */
export type NodePath = string | Uint8Array | { readonly protocol: string; readonly pathname: string; readonly hostname: string }

/** Text, bytes, or pieces of either. */
export type NodeData = string | ArrayBufferView | Iterable<string | ArrayBufferView> | AsyncIterable<string | ArrayBufferView>

export interface NodeWriteOptions {
  /** Encoding of text. Default `utf8`. */
  readonly encoding?: string | null
  /** Permission bits of a new file, minus the common umask (`0o022`). Ignored if the storage keeps no modes. */
  readonly mode?: number | string
  /** `w` (default), `wx`, `a`, `ax`, and the same with `+`. */
  readonly flag?: string
  /** An abort has an effect only until the write starts. */
  readonly signal?: AbortSignal
  /** Flush the storage before resolving. Default false. */
  readonly flush?: boolean
}

const UMASK = 0o022
const WRITE_FLAGS: Readonly<Record<string, WriteFileOptions['mode']>> = { w: 'overwrite', wx: 'create', a: 'append', ax: 'create' }
/** https://nodejs.org/api/fs.html#file-system-flags */
const KNOWN_FLAG = /^(?:r|rs|sr|r\+|rs\+|sr\+|w|w\+|wx|xw|wx\+|xw\+|a|a\+|as|sa|as\+|sa\+|ax|xa|ax\+|xa\+)$/

function invalid(code: string, message: string): Error {
  return Object.assign(code === 'ERR_OUT_OF_RANGE' ? new RangeError(message) : new TypeError(message), { code })
}

export function wrongType(name: string, expected: string, value: unknown): Error {
  return invalid(
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be ${expected}. Received ${value === null ? 'null' : `type ${typeof value}`}`,
  )
}

export const wrongValue = (name: string, value: unknown, code = 'ERR_INVALID_ARG_VALUE'): Error =>
  invalid(code, `The argument "${name}" is invalid. Received ${JSON.stringify(value) ?? String(value)}`)

/**
 * @throws {TypeError} `ERR_INVALID_ARG_TYPE`, `ERR_INVALID_ARG_VALUE`; for a URL also `ERR_INVALID_URL_SCHEME`,
 * `ERR_INVALID_FILE_URL_HOST`, `ERR_INVALID_FILE_URL_PATH`
 */
export function pathArg(value: unknown, name = 'path'): string {
  const path = value instanceof Uint8Array ? pathOfBytes(value, name) : isUrl(value) ? pathOf(value) : value
  if (typeof path !== 'string') throw wrongType(name, 'of type string or an instance of Uint8Array or URL', value)
  if (path.includes('\0')) throw wrongValue(name, path)
  return path
}

/** Rejects invalid UTF-8: replacing bytes by U+FFFD could name another file. @throws {TypeError} `ERR_INVALID_ARG_VALUE` */
function pathOfBytes(bytes: Uint8Array, name: string): string {
  const path = decodeUtf8(bytes)
  if (path === undefined) throw wrongValue(name, decode(bytes, 'utf8'))
  return path
}

function isUrl(value: unknown): value is Exclude<NodePath, string | Uint8Array> {
  if (typeof value !== 'object' || value === null) return false
  // The last two fields exist only on objects of the legacy `url.parse`.
  const { href, protocol, auth, path } = value as Readonly<Record<string, unknown>>
  return Boolean(href) && Boolean(protocol) && auth === undefined && path === undefined
}

function pathOf({ protocol, pathname, hostname }: Exclude<NodePath, string | Uint8Array>): string {
  if (protocol !== 'file:') throw invalid('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file')
  if (hostname !== '') throw invalid('ERR_INVALID_FILE_URL_HOST', 'The host of a file URL must be "localhost" or empty')
  if (/%2f/i.test(pathname)) throw invalid('ERR_INVALID_FILE_URL_PATH', 'The path of a file URL must not have an encoded slash')
  return decodeURIComponent(pathname)
}

/** Returns an options argument as an object. A string is the `encoding`. @throws {TypeError} */
export function optionsArg<T extends object>(options: unknown): Partial<T> & { readonly encoding?: string | null } {
  if (options === undefined || options === null || typeof options === 'function') return {} as Partial<T>
  if (typeof options === 'string') return { encoding: options } as Partial<T> & { readonly encoding: string }
  if (typeof options !== 'object') throw wrongType('options', 'of type string or an instance of Object', options)
  return options as Partial<T>
}

/** @returns undefined if the caller wants bytes @throws {TypeError} `ERR_INVALID_ARG_VALUE` */
export function encodingOf(encoding: unknown): Encoding | undefined {
  if (!encoding || encoding === 'buffer') return undefined
  const known = typeof encoding === 'string' ? encodingNamed(encoding) : undefined
  if (!known) throw wrongValue('encoding', encoding)
  return known
}

/** Returns a file name or link target, as text unless `options` requests bytes or another encoding. */
export function named(text: string, options: unknown): string | Uint8Array {
  const { encoding } = optionsArg(options)
  if (!encoding) return text
  const known = encodingOf(encoding)
  const bytes = encode(text, 'utf8')
  return known ? decode(bytes, known) : bytes
}

/** @throws {TypeError} `ERR_INVALID_ARG_TYPE`, `ERR_INVALID_ARG_VALUE`; {RangeError} `ERR_OUT_OF_RANGE` */
export function modeArg(value: unknown, name = 'mode'): number {
  if (typeof value === 'string') {
    if (!/^[0-7]+$/.test(value)) throw wrongValue(name, value)
    return Number.parseInt(value, 8)
  }
  return integerArg(value, name, 2 ** 32 - 1)
}

/** Options of `rm` and `rmdir`. Nothing is retried, so the retry options are only validated. @throws {TypeError}; {RangeError} */
export function removalArg(options: unknown = {}): { readonly recursive: boolean; readonly force?: unknown } {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw wrongType('options', 'of type object', options)
  const { recursive, force, maxRetries = 0, retryDelay = 0 } = options as Readonly<Record<string, unknown>>
  integerArg(maxRetries, 'options.maxRetries', 2 ** 32 - 1)
  integerArg(retryDelay, 'options.retryDelay', 2 ** 31 - 1)
  return { recursive: booleanArg(recursive, 'options.recursive'), force }
}

export function integerArg(value: unknown, name: string, max: number): number {
  if (typeof value !== 'number') throw wrongType(name, 'of type number', value)
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw invalid('ERR_OUT_OF_RANGE', `The value of "${name}" is out of range. It must be an integer from 0 to ${max}. Received ${value}`)
  return value
}

export function booleanArg(value: unknown, name: string): boolean {
  if (value !== undefined && typeof value !== 'boolean') throw wrongType(name, 'of type boolean', value)
  return value === true
}

/** Applies the umask to the permission bits of a new entry. */
export const madeMode = (mode: number): number => mode & 0o777 & ~UMASK

/** Converts seconds (a number or text) or a date to milliseconds. @throws {TypeError} */
export function timeArg(value: unknown, name: string): number {
  const ms =
    value instanceof Date ? value.getTime() : typeof value === 'string' || typeof value === 'number' ? Number(value) * 1000 : Number.NaN
  if (!Number.isFinite(ms)) throw wrongType(name, 'of type number or an instance of Date', value)
  return ms
}

/** @throws an error named `AbortError`, as Node does */
export function checkSignal(signal: unknown): void {
  if (signal === undefined) return
  if (typeof signal !== 'object' || signal === null || !('aborted' in signal))
    throw wrongType('options.signal', 'an instance of AbortSignal', signal)
  if (signal.aborted !== true) return
  const cause = 'reason' in signal ? signal.reason : undefined
  throw Object.assign(new Error('The operation was aborted', { cause }), { name: 'AbortError', code: 'ABORT_ERR' })
}

function flagArg(flag: unknown, fallback: string, path: string, op: string): string {
  if (flag === undefined || flag === null || flag === '') return fallback
  if (typeof flag === 'number') throw new FsError({ code: 'ENOTSUP', op, path, detail: 'flags are text here: pass "w", "wx", "a" or "r"' })
  if (typeof flag !== 'string' || !KNOWN_FLAG.test(flag)) throw wrongValue('flags', flag)
  return flag.replace('xw', 'wx').replace('xa', 'ax').replace('s', '')
}

/** @throws {FsError} ENOTSUP for a flag that would create or truncate the file to read */
export function checkReadFlag(flag: unknown, path: string): void {
  const known = flagArg(flag, 'r', path, 'read')
  if (!known.startsWith('r'))
    throw new FsError({ code: 'ENOTSUP', op: 'read', path, detail: `flag "${known}" is not supported: read with "r"` })
}

/** @throws {FsError} ENOTSUP for a flag other than "w", "wx", "a", "ax"; {TypeError} for an unknown flag */
export function writeOptionsOf(
  options: unknown,
  path: string,
  fallback: string,
): { readonly write: WriteFileOptions; readonly mode?: number } {
  const { flag, mode: given } = optionsArg<NodeWriteOptions>(options)
  const known = flagArg(flag, fallback, path, 'write').replace('+', '')
  const mode = WRITE_FLAGS[known]
  if (!mode)
    throw new FsError({ code: 'ENOTSUP', op: 'write', path, detail: `flag "${known}" is not supported: write with "w", "wx" or "a"` })
  return { write: { mode, parents: false }, ...(given !== undefined && given !== null && { mode: madeMode(modeArg(given)) }) }
}

/** @throws {TypeError} for unsupported data; {FsError} EINVAL for text with lone surrogates */
export async function dataArg(path: string, data: unknown, encoding: unknown): Promise<Uint8Array> {
  const known = encodingOf(encoding) ?? 'utf8'
  if (isPiece(data)) return pieceBytes(path, data, known)
  if (typeof data !== 'object' || data === null || !(Symbol.iterator in data || Symbol.asyncIterator in data)) throw wrongData(data)
  const pieces: Uint8Array[] = []
  for await (const piece of ofCaller(data as AsyncIterable<unknown>)) {
    if (!isPiece(piece)) throw wrongData(piece)
    pieces.push(pieceBytes(path, piece, known).slice())
  }
  return joinBytes(pieces)
}

async function* ofCaller(data: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* data
  } catch (error) {
    throw new CallersError(error)
  }
}

const isPiece = (data: unknown): data is string | ArrayBufferView => typeof data === 'string' || ArrayBuffer.isView(data)

const wrongData = (data: unknown): Error =>
  wrongType('data', 'of type string or an instance of Uint8Array, another view of bytes, or an iterable of these', data)

function pieceBytes(path: string, data: string | ArrayBufferView, encoding: Encoding): Uint8Array {
  if (typeof data !== 'string') return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return encoding === 'utf8' ? encodeText(path, data, false) : encode(data, encoding)
}
