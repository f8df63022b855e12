import { InputError } from '../../../errors/index.js'

/**
 * Translates between paths in deepagents, where `/` is the root of the files, and paths of the workspace. Each file has exactly one path in
 * deepagents, because its `permissions` compare paths as text: a second path would bypass them.
 */
export interface Paths {
  /** The path in the workspace. @throws InputError for a path with `.`, and for a path of the workspace (`/workspace/a.txt` for `/a.txt`) */
  inner(path: string): string
  /** The path that deepagents shows. */
  outer(path: string): string
}

export function pathsBelow(root: string): Paths {
  const base = root === '/' ? '' : root
  const isBelow = (path: string): boolean => path === root || path.startsWith(`${base}/`)
  return {
    inner(path) {
      if (!path.startsWith('/')) return path
      const name = path.replaceAll(/\/{2,}/g, '/')
      if (/\/\.(?:\/|$)/.test(name)) throw refused('Cannot use a path with the part ".". Leave it out')
      if (!isBelow(name)) return base + name
      const short = name.slice(base.length) || '/'
      if (isBelow(short)) return name
      throw refused(`Cannot use a path that begins with the directory of the commands. Use "${short}": "/" is the root of the files`)
    },
    outer(path) {
      const short = path.slice(base.length) || '/'
      // An entry with the name of the root, such as /workspace/workspace/a.txt, keeps the long path.
      return isBelow(path) && !isBelow(short) ? short : path
    },
  }
}

const refused = (message: string): InputError => new InputError('invalid_input', message)
