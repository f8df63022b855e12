/** What `lstat` answers. A size or number of an entry may be a bigint. */
export interface StatsLike {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
  readonly size: number | bigint
  readonly mtimeMs: number | bigint
  /** With or without the type bits. */
  readonly mode: number | bigint
  readonly ino: number | bigint
}

/** What `readdir` with `withFileTypes` answers. */
export interface DirentLike {
  readonly name: unknown
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** The promise methods of Node's `fs`, as far as they are used. No option that removes or makes more than one entry is ever passed. */
export interface NodePromisesLike {
  lstat(path: string): Promise<StatsLike>
  /** Where the library gives names only, each is looked at with `lstat`. */
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

/** Node's `fs` and what has its shape. */
export interface NodeFsLike {
  readonly promises: NodePromisesLike
}
