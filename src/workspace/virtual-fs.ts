import { FsError } from '../errors/index.js'
import type { FsAdapter, FsEntry, FsStat, FsUsage, ReadOptions, WriteOptions } from '../types/fs.js'

/**
 * An adapter that is spoken to in virtual paths: translates them on the way down, and errors on the way up, so that neither adapter
 * paths nor foreign errors get any further.
 */
export class VirtualFs {
  readonly adapter: FsAdapter
  readonly root: string

  constructor(adapter: FsAdapter, root: string) {
    this.adapter = adapter
    this.root = root
  }

  toAdapter(path: string): string {
    return this.root === '/' ? path : path.slice(this.root.length) || '/'
  }

  toVirtual(path: string): string {
    if (this.root === '/') return path
    return path === '/' ? this.root : this.root + path
  }

  async lstat(path: string): Promise<FsStat> {
    try {
      return await this.adapter.lstat(this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'stat', path)
    }
  }

  async readdir(path: string): Promise<FsEntry[]> {
    try {
      return await this.adapter.readdir(this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'list', path)
    }
  }

  async read(path: string, options?: ReadOptions): Promise<Uint8Array> {
    try {
      return await this.adapter.read(this.toAdapter(path), options)
    } catch (error) {
      throw this.#translate(error, 'read', path)
    }
  }

  async write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    try {
      await this.adapter.write(this.toAdapter(path), bytes, options)
    } catch (error) {
      throw this.#translate(error, 'write', path)
    }
  }

  /** With the adapter's own append where it has one, else by writing the file again. */
  async append(path: string, bytes: Uint8Array): Promise<void> {
    try {
      const target = this.toAdapter(path)
      if (this.adapter.append) return await this.adapter.append(target, bytes)
      const before = await this.adapter.read(target)
      const after = new Uint8Array(before.length + bytes.length)
      after.set(before)
      after.set(bytes, before.length)
      await this.adapter.write(target, after, { create: 'never' })
    } catch (error) {
      throw this.#translate(error, 'append to', path)
    }
  }

  async mkdir(path: string): Promise<void> {
    try {
      await this.adapter.mkdir(this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'make directory', path)
    }
  }

  async unlink(path: string): Promise<void> {
    try {
      await this.adapter.unlink(this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'remove', path)
    }
  }

  async rmdir(path: string): Promise<void> {
    try {
      await this.adapter.rmdir(this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'remove', path)
    }
  }

  async rename(from: string, to: string): Promise<void> {
    try {
      await this.adapter.rename(this.toAdapter(from), this.toAdapter(to))
    } catch (error) {
      throw this.#translate(error, 'move', from, to)
    }
  }

  async readlink(path: string): Promise<string> {
    if (!this.adapter.readlink) throw new FsError({ code: 'EINVAL', op: 'read link', path, detail: 'it is not a link' })
    try {
      return await this.adapter.readlink(this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'read link', path)
    }
  }

  async symlink(target: string, path: string): Promise<void> {
    if (!this.adapter.symlink) throw new FsError({ code: 'ENOTSUP', op: 'make link', path, detail: 'the storage keeps no links' })
    try {
      await this.adapter.symlink(target, this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'make link', path)
    }
  }

  /** With the adapter's own copy where it has one, else by reading and writing. */
  async copy(from: string, to: string): Promise<void> {
    try {
      if (this.adapter.copy) return await this.adapter.copy(this.toAdapter(from), this.toAdapter(to))
      await this.adapter.write(this.toAdapter(to), await this.adapter.read(this.toAdapter(from)))
    } catch (error) {
      throw this.#translate(error, 'copy', from, to)
    }
  }

  async rmTree(path: string): Promise<void> {
    try {
      if (this.adapter.rmTree) await this.adapter.rmTree(this.toAdapter(path))
      else await removeTree(this.adapter, this.toAdapter(path))
    } catch (error) {
      throw this.#translate(error, 'remove', path)
    }
  }

  async setMeta(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void> {
    if (!this.adapter.setMeta) throw new FsError({ code: 'ENOTSUP', op: 'change the mode or time of', path })
    try {
      await this.adapter.setMeta(this.toAdapter(path), meta)
    } catch (error) {
      throw this.#translate(error, 'change the mode or time of', path)
    }
  }

  async usage(): Promise<FsUsage | undefined> {
    try {
      return await this.adapter.usage?.()
    } catch (error) {
      throw this.#translate(error, 'count', this.root)
    }
  }

  /** The adapter's code with our path and verb. Anything but an FsError is a fault of the adapter; its text may name the machine. */
  #translate(error: unknown, op: string, path: string, dest?: string): FsError {
    if (!FsError.is(error)) return new FsError({ code: 'EIO', op, path, ...(dest !== undefined && { dest }), cause: error })
    const detail = error.detail
    return new FsError({
      code: error.code,
      op,
      path: this.#pathOf(error, path),
      ...(dest !== undefined && { dest }),
      ...(detail !== undefined && { detail }),
      cause: error,
    })
  }

  /** An adapter may name a path below the one it was given (removing a tree); everything else is named as it was asked for. */
  #pathOf(error: FsError, asked: string): string {
    const named = this.toVirtual(error.path)
    return named.startsWith(`${asked}/`) ? named : asked
  }
}

/** Depth first, links as themselves. */
async function removeTree(adapter: FsAdapter, path: string): Promise<void> {
  const { kind } = await adapter.lstat(path)
  if (kind !== 'dir') return adapter.unlink(path)
  for (const entry of await adapter.readdir(path)) await removeTree(adapter, path === '/' ? `/${entry.name}` : `${path}/${entry.name}`)
  await adapter.rmdir(path)
}
