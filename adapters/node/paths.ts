import { isAbsolute, join, resolve } from 'node:path'
import { Fault } from './faults.js'

// Matches an empty component, `.`, `..`, a trailing slash, NUL, and half of a surrogate pair. For such a half, Node would write U+FFFD,
// which names another file.
const UNUSABLE = /\/\.{0,2}(?:\/|$)|[\0\p{Surrogate}]/u
// Names with another meaning on Windows: a stream, a device, or the name without its trailing dots and spaces.
const UNUSABLE_ON_WINDOWS = /[<>:"|?*\\]|[. ](?:\/|$)|\/(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.[^/]*)?(?:\/|$)/i

/** Rejects an invalid adapter path. The workspace has already normalised the path. This is the last check before the disk is accessed. */
export function checkPath(path: string, windows: boolean = process.platform === 'win32'): void {
  if (path === '/') return
  if (path[0] !== '/' || UNUSABLE.test(path)) throw new Fault('EINVAL', 'it is not an absolute, normalised path')
  if (windows && UNUSABLE_ON_WINDOWS.test(path)) throw new Fault('EINVAL', 'Windows does not allow this name')
}

/** Rejects an invalid entry name. */
export function checkName(name: string): void {
  if (name === '' || name.includes('/')) throw new Fault('EINVAL', 'it is not the name of an entry')
  checkPath(`/${name}`)
}

/** Converts an adapter path to a path on this machine. */
export function toHost(root: string, path: string): string {
  if (path === '/') return root
  if (process.platform === 'win32') return join(root, path)
  return root === '/' ? path : root + path
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function absolute(path: string): string {
  return isAbsolute(path) ? join(path) : resolve(path)
}
