/**
 * Translates between paths in deepagents, where `/` is the root of the files, and paths of the workspace. `inner` also accepts paths of the
 * workspace, because commands show them, and returns these paths unchanged. `inner(outer(path))` names the same file as `path`.
 */
export interface Paths {
  /** The path in the workspace. */
  inner(path: string): string
  /** The path that deepagents shows. */
  outer(path: string): string
}

export function pathsBelow(root: string): Paths {
  const base = root === '/' ? '' : root
  const isBelow = (path: string): boolean => path === root || path.startsWith(`${base}/`)
  return {
    inner: (path) => (!path.startsWith('/') || isBelow(path) ? path : base + path),
    outer(path) {
      const short = path.slice(base.length) || '/'
      // An entry with the name of the root, such as /workspace/workspace/a.txt, keeps the long path.
      return isBelow(path) && !isBelow(short) ? short : path
    },
  }
}
