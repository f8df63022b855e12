import { FsError } from '../errors/index.js'
import type { FsAdapter, FsEntry, FsOther, FsStat, FsUsage, ReadOptions, WriteOptions } from '../types/fs.js'
import { isReserved, type Recorder } from './checkpoints/engine.js'
import { joinPath } from './paths.js'

/**
 * An adapter with virtual paths. Converts paths on the way in and errors on the way out, so that callers never see adapter paths or
 * foreign errors. Hides the checkpoint folder, and passes each change to the recorder before making it.
 */
export class VirtualFs {
  readonly adapter: FsAdapter
  readonly root: string

  readonly #recorder: Recorder | undefined

  constructor(adapter: FsAdapter, root: string, recorder?: Recorder) {
    this.adapter = adapter
    this.root = root
    this.#recorder = recorder
  }

  toAdapter(path: string): string {
    return this.root === '/' ? path : path.slice(this.root.length) || '/'
  }

  toVirtual(path: string): string {
    if (this.root === '/') return path
    return path === '/' ? this.root : this.root + path
  }

  /** @throws {FsError} EACCES for a path in the checkpoint folder */
  refuseReserved(path: string, op: string): void {
    if (!this.#isReserved(path)) return
    throw new FsError({ code: 'EACCES', op, path, detail: 'the name is reserved for checkpoints: choose another' })
  }

  async lstat(path: string): Promise<FsStat> {
    try {
      return await this.adapter.lstat(this.#visible(path, 'stat'))
    } catch (error) {
      throw this.#translate(error, 'stat', path)
    }
  }

  async readdir(path: string): Promise<(FsEntry | FsOther)[]> {
    try {
      const entries = await this.adapter.readdir(this.#visible(path, 'list'))
      return path === this.root ? entries.filter(({ name }) => !isReserved(`/${name}`, this.adapter.can.caseSensitive)) : entries
    } catch (error) {
      throw this.#translate(error, 'list', path)
    }
  }

  async read(path: string, options?: ReadOptions): Promise<Uint8Array> {
    try {
      return await this.adapter.read(this.#visible(path, 'read'), options)
    } catch (error) {
      throw this.#translate(error, 'read', path)
    }
  }

  async write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void> {
    try {
      const target = this.#changing(path, 'write')
      const recorded = this.#recorder?.entry(target)
      if (recorded) await recorded
      await this.adapter.write(target, bytes, options)
    } catch (error) {
      throw this.#translate(error, 'write', path)
    }
  }

  /** Uses the adapter's own append; otherwise reads the file and writes it again. */
  async append(path: string, bytes: Uint8Array): Promise<void> {
    try {
      const target = this.#changing(path, 'append to')
      await this.#recorder?.entry(target)
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
      const target = this.#changing(path, 'make directory')
      await this.#recorder?.entry(target)
      await this.adapter.mkdir(target)
    } catch (error) {
      throw this.#translate(error, 'make directory', path)
    }
  }

  async unlink(path: string): Promise<void> {
    try {
      const target = this.#changing(path, 'remove')
      await this.#recorder?.entry(target)
      await this.adapter.unlink(target)
    } catch (error) {
      throw this.#translate(error, 'remove', path)
    }
  }

  async rmdir(path: string): Promise<void> {
    try {
      const target = this.#changing(path, 'remove')
      await this.#recorder?.entry(target)
      await this.adapter.rmdir(target)
    } catch (error) {
      throw this.#translate(error, 'remove', path)
    }
  }

  async rename(from: string, to: string): Promise<void> {
    try {
      const [source, target] = [this.#changing(from, 'move'), this.#changing(to, 'move')]
      await this.#recorder?.rename(source, target)
      await this.adapter.rename(source, target)
    } catch (error) {
      throw this.#translate(error, 'move', from, to)
    }
  }

  async checkWrite(path: string): Promise<void> {
    try {
      await this.adapter.checkWrite?.(this.#visible(path, 'write'))
    } catch (error) {
      throw this.#translate(error, 'write', path)
    }
  }

  async readlink(path: string): Promise<string> {
    if (!this.adapter.readlink) throw await this.#notToldOf(path)
    try {
      return await this.adapter.readlink(this.#visible(path, 'read link'))
    } catch (error) {
      throw this.#translate(error, 'read link', path)
    }
  }

  /**
   * Returns the error for a link without a known target: a storage may list links that other programs created without knowing their
   * targets.
   */
  async #notToldOf(path: string): Promise<FsError> {
    const { kind } = await this.lstat(path)
    if (kind !== 'symlink') return new FsError({ code: 'EINVAL', op: 'read link', path, detail: 'it is not a link' })
    return new FsError({ code: 'ELOOP', op: 'read link', path, detail: 'the storage does not report the target of this link' })
  }

  async symlink(target: string, path: string): Promise<void> {
    if (!this.adapter.symlink) throw new FsError({ code: 'ENOTSUP', op: 'make link', path, detail: 'the storage keeps no links' })
    try {
      const link = this.#changing(path, 'make link')
      await this.#recorder?.entry(link)
      await this.adapter.symlink(target, link)
    } catch (error) {
      throw this.#translate(error, 'make link', path)
    }
  }

  /** Uses the adapter's own copy; otherwise reads and writes. */
  async copy(from: string, to: string): Promise<void> {
    try {
      const [source, target] = [this.#visible(from, 'copy'), this.#changing(to, 'copy')]
      await this.#recorder?.entry(target)
      if (this.adapter.copy) return await this.adapter.copy(source, target)
      await this.adapter.write(target, await this.adapter.read(source))
    } catch (error) {
      throw this.#translate(error, 'copy', from, to)
    }
  }

  async rmTree(path: string): Promise<void> {
    try {
      const target = this.#changing(path, 'remove')
      await this.#recorder?.tree(target)
      if (this.adapter.rmTree) await this.adapter.rmTree(target)
      else await removeTree(this.adapter, target)
    } catch (error) {
      throw this.#translate(error, 'remove', path)
    }
  }

  async setMeta(path: string, meta: { readonly mode?: number; readonly mtimeMs?: number }): Promise<void> {
    if (!this.adapter.setMeta) throw new FsError({ code: 'ENOTSUP', op: 'change the mode or time of', path })
    try {
      const target = this.#changing(path, 'change the mode or time of')
      await this.#recorder?.entry(target)
      await this.adapter.setMeta(target, meta)
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

  /** The adapter path for reading. @throws {FsError} ENOENT for the checkpoint folder */
  #visible(path: string, op: string): string {
    if (this.#isReserved(path)) throw new FsError({ code: 'ENOENT', op, path })
    return this.toAdapter(path)
  }

  /** The adapter path for a change. @throws {FsError} EACCES for the checkpoint folder */
  #changing(path: string, op: string): string {
    this.refuseReserved(path, op)
    return this.toAdapter(path)
  }

  #isReserved(path: string): boolean {
    // Fast path: most names do not begin with a dot.
    const at = this.root === '/' ? 1 : this.root.length + 1
    return path.charCodeAt(at) === 46 && isReserved(this.toAdapter(path), this.adapter.can.caseSensitive)
  }

  /**
   * Returns an error with the adapter's code, the virtual path and the verb `op`. An error other than FsError is a bug in the adapter: it
   * becomes only the `cause`, because its message may contain machine paths.
   */
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

  /**
   * Returns the virtual path to name in an error. An adapter that removes a tree may name a path below the requested path. All other errors
   * name the requested path.
   */
  #pathOf(error: FsError, asked: string): string {
    const named = this.toVirtual(error.path)
    return named.startsWith(`${asked}/`) ? named : asked
  }
}

/** Removes a tree depth first, without following links. */
async function removeTree(adapter: FsAdapter, path: string, known?: FsEntry['kind'] | 'other'): Promise<void> {
  const kind = known ?? (await adapter.lstat(path)).kind
  if (kind !== 'dir') return adapter.unlink(path)
  for (const entry of await adapter.readdir(path)) await removeTree(adapter, joinPath(path, entry.name), entry.kind)
  await adapter.rmdir(path)
}
