import { FsError } from '../../errors/index.js'
import type { WriteFileOptions } from '../../types/workspace.js'
import { encodeText } from '../content.js'

export type NodeEncoding = string | { readonly encoding?: string | null } | null | undefined

export interface NodeWriteOptions {
  /** UTF-8 is the only one. */
  readonly encoding?: string | null
  /** Permission bits of a new file, less those of the common umask (`0o022`). Left out where the storage keeps none. */
  readonly mode?: number
  /** `w` (default), `wx` or `a`. */
  readonly flag?: string
}

const UMASK = 0o022
const FLAGS: Readonly<Record<string, WriteFileOptions['mode']>> = { w: 'overwrite', wx: 'create', a: 'append' }

/** Undefined: bytes are wanted. @throws {FsError} ENOTSUP for an encoding other than UTF-8 */
export function encodingOf(options: NodeEncoding, path: string): 'utf8' | undefined {
  const encoding = (typeof options === 'string' ? options : options?.encoding) ?? 'buffer'
  if (encoding === 'buffer') return undefined
  if (/^utf-?8$/i.test(encoding)) return 'utf8'
  throw new FsError({ code: 'ENOTSUP', op: 'decode', path, detail: `encoding "${encoding}" is not supported, only "utf8" is` })
}

/** @throws {FsError} ENOTSUP for what cannot be honoured */
export function writeOptionsOf(options: unknown, path: string): { readonly write: WriteFileOptions; readonly mode?: number } {
  const given = (typeof options === 'string' ? { encoding: options } : (options ?? {})) as NodeWriteOptions
  encodingOf(given, path)
  const mode = FLAGS[given.flag ?? 'w']
  if (!mode) throw new FsError({ code: 'ENOTSUP', op: 'write', path, detail: `flag "${given.flag}" is not supported` })
  return { write: { mode, parents: false }, ...(given.mode !== undefined && { mode: given.mode & 0o777 & ~UMASK }) }
}

export function toBytes(path: string, data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? encodeText(path, data, false) : data
}
