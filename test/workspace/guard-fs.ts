import type { FsAdapter } from 'toolport'

/** Checks that the adapter is called as its contract allows, and records every violation. */
export function guardFs(fs: FsAdapter): { readonly fs: FsAdapter; readonly breaches: readonly string[] } {
  const breaches: string[] = []
  const methods = Object.entries(fs).map(([key, value]) => [key, typeof value === 'function' ? guarded(key, value) : value])
  return { fs: Object.fromEntries(methods) as FsAdapter, breaches }

  function guarded(key: string, method: (...args: unknown[]) => unknown) {
    return (...args: unknown[]): unknown => {
      const paths = key === 'rename' || key === 'copy' ? args.slice(0, 2) : key === 'symlink' ? args.slice(1, 2) : args.slice(0, 1)
      for (const path of paths) if (typeof path !== 'string' || !isAdapterPath(path)) breaches.push(`${key} ${JSON.stringify(path)}`)
      return method(...args)
    }
  }
}

function isAdapterPath(path: string): boolean {
  if (path === '/') return true
  if (!path.startsWith('/') || path.endsWith('/') || path.includes('\0') || path.length > 4096) return false
  return path
    .slice(1)
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && new TextEncoder().encode(name).length <= 255)
}
