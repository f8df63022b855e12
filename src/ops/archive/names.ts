import { hasLoneSurrogate, utf8Length } from '../utf8.js'
import type { ArchiveEntry } from './entry.js'
import { archiveError, packError, tooLarge } from './faults.js'

const MAX_NAME_BYTES = 255
const DRIVE = /^[A-Za-z]:(?:\/|$)/

/**
 * Normalises the path of an entry: drops `.` and empty components, so `''` is the root of the archive.
 *
 * @throws {InputError} `name`: the path is absolute, leads outside through `..`, or contains something that not every storage supports
 * @throws {FsError} EFBIG over `maxBytes`
 */
export function entryPath(name: string, maxBytes: number): string {
  if (DRIVE.test(name)) throw archiveError('name', 'begins with a drive letter', name)
  return innerPath(name, maxBytes)
}

/** Like `entryPath`, for a path that is known to be inside the archive's root. Here a directory may be named `c:`. */
export function innerPath(name: string, maxBytes: number): string {
  if (name === '') throw archiveError('name', 'has no name', name)
  if (name.length > maxBytes || utf8Length(name) > maxBytes) throw tooLarge(`its path is longer than ${maxBytes} bytes`, name)
  if (name.includes('\0')) throw archiveError('name', 'contains a NUL character', name)
  if (hasLoneSurrogate(name)) throw archiveError('name', 'contains a lone surrogate', name)
  if (name.startsWith('/')) throw archiveError('name', 'has an absolute path', name)
  if (name.includes('\\')) throw archiveError('name', 'contains a backslash', name)
  const kept: string[] = []
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') throw archiveError('name', 'leaves the archive with ".."', name)
    if (part.length * 3 > MAX_NAME_BYTES && utf8Length(part) > MAX_NAME_BYTES) {
      throw tooLarge(`one of its names is longer than ${MAX_NAME_BYTES} bytes`, name)
    }
    kept.push(part)
  }
  return kept.join('/')
}

/** Returns the name to write for a path. The prefix `./` prevents programs from reading a directory named `c:` as a drive. */
export const nameInArchive = (path: string): string => (DRIVE.test(path) ? `./${path}` : path)

/** Checks an entry for every writer. @throws as `innerPath`; {InputError} for a path that is not normalised, and for a hard link */
export function checkPacked({ path, name = path, hardLink }: ArchiveEntry, maxBytes: number): void {
  if (innerPath(name, maxBytes) !== path) throw packError('has a path that is not normalised', path)
  if (hardLink !== undefined) throw packError('is a hard link: pass the content of its target', path)
}

/**
 * Whether the target of a symlink stays inside the root of the archive. `..` may occur only at the start of the target: after a name
 * that is itself a symlink, `..` would lead elsewhere than the text says.
 */
export function leadsInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0') || target.includes('\\') || hasLoneSurrogate(target)) return false
  let level = path.split('/').length - 1
  let named = false
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') named = true
    else if (named || --level < 0) return false
  }
  return true
}

/** Compares paths by code unit: a directory comes before its content. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
