import { createMountedFs, type FsAdapter, FsError } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'

const OPTIONAL = ['readlink', 'symlink', 'append', 'copy', 'rmTree', 'setMeta', 'checkWrite', 'usage', 'checkpoint', 'hostPath'] as const

/** One folder of a storage, as a storage. */
export function below(fs: FsAdapter, folder: string): FsAdapter {
  const down = (path: string): string => (path === '/' ? folder : folder + path)
  const up = (path: string | undefined): string | undefined => (path === undefined ? undefined : path.slice(folder.length) || '/')
  const inner = async <T>(body: () => Promise<T>): Promise<T> => {
    try {
      return await body()
    } catch (error) {
      if (!FsError.is(error)) throw error
      const { code, op, path, dest, detail } = error
      throw new FsError({ code, op, path: up(path) as string, ...(dest && { dest: up(dest) }), ...(detail && { detail }) })
    }
  }
  return {
    name: fs.name,
    can: fs.can,
    open: async () => fs.open?.(),
    flush: () => fs.flush(),
    close: () => fs.close(),
    lstat: (path) => inner(() => fs.lstat(down(path))),
    readdir: (path) => inner(() => fs.readdir(down(path))),
    read: (path, options) => inner(() => fs.read(down(path), options)),
    write: (path, bytes, options) => inner(() => fs.write(down(path), bytes, options)),
    mkdir: (path) => inner(() => fs.mkdir(down(path))),
    unlink: (path) => inner(() => fs.unlink(down(path))),
    rmdir: (path) => inner(() => fs.rmdir(down(path))),
    rename: (from, to) => inner(() => fs.rename(down(from), down(to))),
    ...(fs.readlink && { readlink: (path: string) => inner(() => fs.readlink?.(down(path)) as Promise<string>) }),
    ...(fs.symlink && { symlink: (target: string, path: string) => inner(() => fs.symlink?.(target, down(path)) as Promise<void>) }),
    ...(fs.append && { append: (path: string, bytes: Uint8Array) => inner(() => fs.append?.(down(path), bytes) as Promise<void>) }),
    ...(fs.copy && { copy: (from: string, to: string) => inner(() => fs.copy?.(down(from), down(to)) as Promise<void>) }),
    ...(fs.rmTree && { rmTree: (path: string) => inner(() => fs.rmTree?.(down(path)) as Promise<void>) }),
    ...(fs.setMeta && {
      setMeta: (path: string, meta: { mode?: number; mtimeMs?: number }) => inner(() => fs.setMeta?.(down(path), meta) as Promise<void>),
    }),
    ...(fs.usage && { usage: () => inner(() => fs.usage?.() as ReturnType<NonNullable<FsAdapter['usage']>>) }),
  }
}

/** A storage whose root listing omits one name. */
export function hiding(fs: FsAdapter, name: string): FsAdapter {
  return { ...fs, readdir: async (path) => (await fs.readdir(path)).filter((entry) => path !== '/' || entry.name !== name) }
}

/** A memory file system with the required methods only. */
export function plainFs(): FsAdapter {
  const fs: Record<string, unknown> = { ...createMemoryFs() }
  for (const method of OPTIONAL) delete fs[method]
  return fs as unknown as FsAdapter
}

export const insideMount = (make: () => FsAdapter): FsAdapter => below(createMountedFs({ fs: make(), mounts: { m: make() } }), '/m')

export const besideMount = (make: () => FsAdapter): FsAdapter =>
  hiding(createMountedFs({ fs: make(), mounts: { 'mounts/n': make() } }), 'mounts')
