import { hasLoneSurrogate, utf8Length } from '../utf8.js'
import type { ArchiveEntry } from './entry.js'
import { archiveError, packError, tooLarge } from './faults.js'

const MAX_NAME_BYTES = 255
const DRIVE = /^[A-Za-z]:(?:\/|$)/

/**
 * The path of an entry as the archive names it: `.` and empty components are dropped, so `''` is the top itself.
 *
 * @throws {InputError} `name`: it is absolute, leads out by `..`, or holds what not every storage can keep
 * @throws {FsError} EFBIG over `maxBytes`
 */
export function entryPath(name: string, maxBytes: number): string {
  if (DRIVE.test(name)) throw archiveError('name', 'begins with a drive letter', name)
  return innerPath(name, maxBytes)
}

/** `entryPath` of what is known to be inside: a directory may be called `c:` there. */
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
    if (part === '..') throw archiveError('name', 'leads out with ".."', name)
    if (part.length * 3 > MAX_NAME_BYTES && utf8Length(part) > MAX_NAME_BYTES) {
      throw tooLarge(`one of its names is longer than ${MAX_NAME_BYTES} bytes`, name)
    }
    kept.push(part)
  }
  return kept.join('/')
}

/** The name that an archive gives to a path: no program may take a directory for a drive. */
export const nameInArchive = (path: string): string => (DRIVE.test(path) ? `./${path}` : path)

/** What every writer asks of an entry. @throws as `innerPath`; {InputError} for a path that is not normalised, and a hard link */
export function checkPacked({ path, name = path, hardLink }: ArchiveEntry, maxBytes: number): void {
  if (innerPath(name, maxBytes) !== path) throw packError('has a path that is not normalised', path)
  if (hardLink !== undefined) throw packError('is a hard link: give it the content of the file that it is', path)
}

/**
 * Whether a link leads nowhere but inside the tree that its path is relative to, whatever the links on its way are: `..` may stand at the
 * beginning only. Behind a name, which may be a link itself, it would mean one thing by its text and another to a real shell.
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

/** Lexical order of paths by code unit: a directory comes before its content. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
