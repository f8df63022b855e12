import { type PathLike, readdir as readdirCb, readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { brief } from './short-syscalls.js'

const readdir = promisify(readdirCb)
/** Maximum size of a directory that is listed synchronously. File systems report this size in bytes or in entries. */
const SHORT_LISTING = 16 * 1024

/** Whether a name can consist of arbitrary bytes. On Windows and macOS, every name is Unicode. */
const anyBytes = process.platform !== 'win32' && process.platform !== 'darwin'
const ESCAPED = /\uFFFD([89A-F][0-9A-F])/

/** A directory entry as reported by the system. */
export interface Listed {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/**
 * Lists the directory at a host path. `size` comes from the entry's `stat`. Each byte that is not valid UTF-8 becomes U+FFFD and two
 * hexadecimal digits (`caf\uFFFDE9`), so that no two names look the same. `toNative` restores the bytes.
 */
export async function listNames(host: PathLike, size: bigint): Promise<Listed[]> {
  const inPool = (): Promise<Listed[]> => readdir(host, { withFileTypes: true })
  const entries = await (size > SHORT_LISTING ? inPool() : brief(() => readdirSync(host, { withFileTypes: true }), inPool))
  if (!anyBytes || !entries.some(({ name }) => name.includes('\uFFFD'))) return entries
  return (await readdir(host, { withFileTypes: true, encoding: 'buffer' })).map((entry) => ({
    name: textOf(entry.name),
    isFile: () => entry.isFile(),
    isDirectory: () => entry.isDirectory(),
    isSymbolicLink: () => entry.isSymbolicLink(),
  }))
}

/** Decodes a name or path that the system reports. `toNative` reverses this. */
export function textOf(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const part = bytes.subarray(at, at + length)
    const char = part.toString()
    const isValid = part.equals(Buffer.from(char)) && !ESCAPED.test(char + bytes.toString('latin1', at + length, at + length + 2))
    text += isValid ? char : `\uFFFD${lead.toString(16).toUpperCase()}`
    at += isValid ? length : 1
  }
  return text
}

/** Encodes a path for system calls. If a name is not UTF-8, returns bytes. */
export function toNative(path: string): PathLike {
  if (!anyBytes || !ESCAPED.test(path)) return path
  const parts = path.split(ESCAPED).map((part, i) => (i % 2 ? Buffer.of(Number.parseInt(part, 16)) : Buffer.from(part)))
  return Buffer.concat(parts)
}
