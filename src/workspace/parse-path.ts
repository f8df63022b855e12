import { WorkspaceError } from '../errors/index.js'
import { isWithin, joinPath, normalise } from './paths.js'

/** Maximum bytes of a path, and of one component: the limits of Linux, so that a path is valid everywhere. */
const MAX_PATH_BYTES = 4096
const MAX_NAME_BYTES = 255

const NAMES_DIRECTORY = /(?:^|\/)\.{0,2}$/
/** Matches most paths: they contain nothing to reject, and no long names. */
const PLAIN = new RegExp(`^[\\w ./@+-]{1,${MAX_NAME_BYTES}}$`)
const LONE_SURROGATE = /\p{Surrogate}/u
const encoder = new TextEncoder()

export interface PathSyntax {
  /** Virtual path of the adapter's root. */
  readonly root: string
  readonly cwd: string
  readonly backslash: 'refuse' | 'separator'
}

export interface ParsedPath {
  /** Absolute, normalised, inside the root. */
  readonly path: string
  /** The input ended with a slash, `.` or `..`, so it must be a directory. */
  readonly directory: boolean
}

/**
 * Converts an input path to a virtual path, by its text alone. `..` is lexical. Nothing is percent-decoded: `%2e%2e` is a name.
 *
 * @throws {WorkspaceError} `invalid_path`, `path_outside_workspace`
 */
export function parsePath(input: string, rules: PathSyntax): ParsedPath {
  const text = checkText(input, rules.backslash)
  const absolute = text.startsWith('/') ? text : `${rules.cwd}/${text}`
  const path = normalise(absolute, () => outside(input, rules.root))
  if (!isWithin(path, rules.root)) throw outside(input, rules.root)
  // Returned paths must be valid input.
  if (tooLong(path)) throw tooLongPath(input)
  return { path, directory: NAMES_DIRECTORY.test(text) }
}

/** Returns why the path of a stored entry is not valid input. Undefined: the path is valid. */
export function refusalOf(folder: string, name: string): WorkspaceError | undefined {
  if (PLAIN.test(name) && (folder.length + 1 + name.length) * 3 <= MAX_PATH_BYTES) return undefined
  const path = joinPath(folder, name)
  try {
    checkText(path, 'refuse')
  } catch (error) {
    return error as WorkspaceError
  }
  return tooLong(path) ? tooLongPath(path) : undefined
}

/** @throws {WorkspaceError} `invalid_path` for a link target that some storages cannot store */
export function checkLinkTarget(target: string): void {
  if (target === '') throw invalid(target, 'a link to it would be broken')
  if (target.includes('\0')) throw invalid(target.replaceAll('\0', '\\0'), 'it contains a NUL character')
  checkLength(target, target)
}

function checkText(input: string, backslash: PathSyntax['backslash']): string {
  if (typeof input !== 'string') throw invalid(String(input), 'it is not a string')
  if (PLAIN.test(input)) return input
  if (input === '') throw invalid(input, 'it is empty, use "." for the current directory')
  if (input.includes('\0')) throw invalid(input.replaceAll('\0', '\\0'), 'it contains a NUL character')
  if (/^[A-Za-z]:(?:[\\/]|$)/.test(input)) throw invalid(input, 'drive letters are not supported, use a path relative to the workspace')
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/|^file:/i.test(input)) throw invalid(input, 'it is a URL, use a plain path')
  const text = backslash === 'separator' ? input.replaceAll('\\', '/') : input
  if (text.includes('\\')) throw invalid(input, 'it contains a backslash, separate components with "/"')
  if (backslash === 'separator' && input.startsWith('\\\\')) throw invalid(input, 'network shares are not supported')
  checkLength(input, text)
  return text
}

function checkLength(input: string, text: string): void {
  if (tooLong(text)) throw tooLongPath(input)
  if (LONE_SURROGATE.test(text)) throw invalid(input, 'it contains a lone surrogate')
  if (text.length * 3 <= MAX_NAME_BYTES) return
  for (const name of text.split('/')) {
    if (name.length * 3 > MAX_NAME_BYTES && byteLength(name) > MAX_NAME_BYTES) {
      throw invalid(`${input.slice(0, 60)}...`, `one of its names is longer than ${MAX_NAME_BYTES} bytes`)
    }
  }
}

/** A UTF-16 unit has at most three bytes, so short paths need no counting. */
function tooLong(path: string): boolean {
  return path.length > MAX_PATH_BYTES || (path.length * 3 > MAX_PATH_BYTES && byteLength(path) > MAX_PATH_BYTES)
}

function byteLength(text: string): number {
  return encoder.encode(text).length
}

function invalid(input: string, why: string): WorkspaceError {
  return new WorkspaceError('invalid_path', input, `Cannot use path "${input}": ${why}`)
}

function tooLongPath(input: string): WorkspaceError {
  return invalid(`${input.slice(0, 60)}...`, `it is longer than ${MAX_PATH_BYTES} bytes`)
}

function outside(input: string, root: string): WorkspaceError {
  return new WorkspaceError('path_outside_workspace', input, `Cannot use path "${input}": it is outside the workspace "${root}"`)
}
