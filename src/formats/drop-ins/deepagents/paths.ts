/**
 * Translates paths. In deepagents, `/` is the root of the files. Commands show the workspace's own paths, so these work as well: a path at
 * or below the root of the workspace means itself. `outer(inner(path))` is the same path.
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
