/** The result of `lstat`. Sizes and inode numbers may be bigints. */
export interface StatsLike {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
  readonly size: number | bigint
  readonly mtimeMs: number | bigint
  /** The permission bits, with or without the type bits. */
  readonly mode: number | bigint
  readonly ino: number | bigint
}

/** A result of `readdir` with `withFileTypes`. */
export interface DirentLike {
  readonly name: unknown
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** The promise methods of Node's `fs` that Toolport uses. Toolport never passes options that create or remove more than one entry. */
export interface NodePromisesLike {
  lstat(path: string): Promise<StatsLike>
  /** Returns entries with their kind. If the library returns only names, `lstat` is called for each name. */
  readdir(path: string, options: { readonly withFileTypes: true }): Promise<readonly unknown[]>
  readFile(path: string): Promise<Uint8Array | string>
  writeFile(path: string, data: Uint8Array, options?: { readonly flag?: string; readonly mode?: number }): Promise<unknown>
  mkdir(path: string, options?: { readonly mode?: number }): Promise<unknown>
  unlink(path: string): Promise<unknown>
  rmdir(path: string): Promise<unknown>
  rename(from: string, to: string): Promise<unknown>
  readlink(path: string): Promise<unknown>
  symlink(target: string, path: string): Promise<unknown>
  chmod(path: string, mode: number): Promise<unknown>
  utimes(path: string, atime: Date, mtime: Date): Promise<unknown>
}

/** Node's `fs`, or a library with the same methods. */
export interface NodeFsLike {
  readonly promises: NodePromisesLike
}
