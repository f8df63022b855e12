import { messageOf } from '../notice.js'
import { visibleNameText } from '../visible.js'

type Words = (name: string) => string

/** Error code -> message, for errors that another name can resolve. */
const NAME_WORDS: Readonly<Record<string, Words>> = {
  EEXIST: (name) => `“${name}” is there already.`,
  ENOTEMPTY: (name) => `“${name}” is there already.`,
  EISDIR: (name) => `“${name}” is there already, as a folder.`,
  ENOTDIR: (name) => `A part of “${name}” is a file, not a folder.`,
  ELOOP: (name) => `A part of “${name}” is a link.`,
  symlink_escape: (name) => `A link leads “${name}” out of the workspace.`,
  path_outside_workspace: (name) => `“${name}” is outside of the workspace.`,
  EINVAL: (name) => `“${name}” cannot be used here.`,
  invalid_path: (name) => `“${name}” cannot be used as a name.`,
}

/** Error code -> message, for errors that another name cannot resolve. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'It is not there any more.',
  EACCES: 'It may not be changed.',
  approval_required: 'It may not be changed.',
  EROFS: 'This workspace can only be read.',
  ENOSPC: 'There is no room left. Delete something first.',
  EFBIG: 'It is too large for this workspace.',
  EBUSY: 'It is in use. Try again in a moment.',
  EIO: 'The storage of this workspace failed. Try again.',
}

const SHOWN = 40
const ASK = 'Choose another name.'

/** Describes why an action on `name` failed. `isName`: whether another name would help. */
function reason(error: unknown, name: string): { readonly words: string; readonly isName: boolean } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const shown = visibleNameText(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name)
  if (code === 'EINVAL' && isIntoItself(error)) return { words: 'A folder cannot go into itself.', isName: true }
  if (code === 'invalid_path' && name.includes('\\')) return { words: 'A name cannot hold “\\”: “/” goes between folders.', isName: true }
  if (code === 'invalid_path' && messageOf(error).includes('longer than')) return { words: 'That name is too long.', isName: true }
  const words = NAME_WORDS[code]
  if (words) return { words: words(shown), isName: true }
  return { words: OTHER_WORDS[code] ?? `It did not work: ${messageOf(error).replace(/^E[A-Z]+: /, '')}`, isName: false }
}

function isIntoItself(error: unknown): boolean {
  const { path, dest } = error as { readonly path?: unknown; readonly dest?: unknown }
  return typeof path === 'string' && typeof dest === 'string' && dest.startsWith(`${path}/`)
}

/** The error message for a name field. */
export function refusalOf(error: unknown, name: string): string {
  const { words, isName } = reason(error, name)
  return isName ? `${words} ${ASK}` : words
}

/** The error message for an action without a name field. `undone`: `a.ts was not moved`. */
export const failureOf = (undone: string, error: unknown, name: string): string => `${undone}. ${reason(error, name).words}`

/** The error for a path outside the workspace. */
export const outside = (name: string): Error => Object.assign(new Error('outside'), { code: 'path_outside_workspace', path: name })

/** The error for a path that names a directory itself. */
export const unusable = (name: string): Error => Object.assign(new Error('unusable'), { code: 'invalid_path', path: name })
