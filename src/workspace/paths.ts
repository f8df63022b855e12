/** True if `path` is `folder` or below it, compared component by component: `/proj2` is not within `/proj`. */
export function isWithin(path: string, folder: string): boolean {
  if (folder === '/') return path.startsWith('/')
  return path.startsWith(folder) && (path.length === folder.length || path.charCodeAt(folder.length) === 47)
}

/** Returns the path of `name` in `folder`. */
export function joinPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/** Returns the parent folder of `path`; `/` for `/`. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

/** Returns the last component; an empty text for `/`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns `path` relative to `folder`, which must contain `path`. Empty if both are equal. */
export function relativePath(path: string, folder: string): string {
  return path.slice(folder === '/' ? 1 : folder.length + 1)
}

/** Resolves `.`, `..` and empty components of an absolute path. `above` creates the error for `..` at `/`. */
export function normalise(absolute: string, above: () => Error): string {
  if (isNormal(absolute)) return absolute
  const kept: string[] = []
  for (const part of absolute.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.pop() === undefined) throw above()
  }
  return `/${kept.join('/')}`
}

/** Whether the path has no empty, `.` or `..` component and no trailing slash. True for most paths. One pass without allocation. */
function isNormal(path: string): boolean {
  if (path === '/') return true
  let start = 1
  for (let i = 1; i <= path.length; i++) {
    if (i < path.length && path.charCodeAt(i) !== 47) continue
    const length = i - start
    if (length === 0) return false
    if (path.charCodeAt(start) === 46 && (length === 1 || (length === 2 && path.charCodeAt(start + 1) === 46))) return false
    start = i + 1
  }
  return true
}
