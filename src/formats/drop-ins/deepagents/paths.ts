import { InputError } from '../../../errors/index.js'

/**
 * Translates between paths in deepagents, where `/` is the root of the files, and paths of the workspace. Each file has exactly one path in
 * deepagents, because its `permissions` compare paths as text: a second path would bypass them.
 */
export interface Paths {
  /**
   * Returns the path in the workspace.
   *
   * @throws InputError for a path with a backslash or the part `.`, and for a path of the workspace (`/workspace/a.txt` for `/a.txt`)
   */
  inner(path: string): string
  /** Translates a glob that begins with `/` or `!/`, and so starts at the root. Other globs are relative to the path of the search. */
  innerGlob(glob: string): string
  /** The path that deepagents shows. */
  outer(path: string): string
}

export function pathsBelow(root: string): Paths {
  const base = root === '/' ? '' : root
  const isBelow = (path: string): boolean => path === root || path.startsWith(`${base}/`)
  const translate = (path: string): string => {
    if (!path.startsWith('/')) return path
    const name = path.replaceAll(/\/{2,}/g, '/')
    if (/\/\.(?:\/|$)/.test(name)) throw refused('Cannot use a path with the part ".". Leave it out')
    if (!isBelow(name)) return base + name
    const short = name.slice(base.length) || '/'
    if (isBelow(short)) return name
    throw refused(`Cannot use a path that begins with the directory of the commands. Use "${short}": "/" is the root of the files`)
  }
  return {
    inner(path) {
      // A workspace may read a backslash as a slash.
      if (path.includes('\\')) throw refused('Cannot use a path with a backslash. Separate its parts with "/"')
      return translate(path)
    },
    innerGlob: (glob) => (glob.startsWith('!') ? `!${translate(glob.slice(1))}` : translate(glob)),
    outer(path) {
      const short = path.slice(base.length) || '/'
      // An entry with the name of the root, such as /workspace/workspace/a.txt, keeps the long path.
      return isBelow(path) && !isBelow(short) ? short : path
    },
  }
}

const refused = (message: string): InputError => new InputError('invalid_input', message)
