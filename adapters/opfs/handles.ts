// The parts of the browser's handles that Toolport uses. No TypeScript library declares both the page's and the worker's parts.

export interface SyncAccess {
  getSize(): number
  write(bytes: Uint8Array, options: { readonly at: number }): number
  truncate(size: number): void
  flush(): void
  close(): void
}

export interface Swap {
  write(bytes: Uint8Array): Promise<void>
  seek(at: number): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}

export interface FileHandle {
  readonly kind: 'file'
  getFile(): Promise<Blob & { readonly lastModified: number }>
  /** Exists only in dedicated workers. */
  createSyncAccessHandle(): Promise<SyncAccess>
  /** In Safari since version 26. The new content becomes visible as a whole when the stream is closed. */
  createWritable(options?: { readonly keepExistingData: boolean }): Promise<Swap>
  /** Does not exist in every browser. Can replace another file; other code then sees either the old or the new file. */
  move(to: DirHandle, name: string): Promise<void>
}

export interface DirHandle {
  readonly kind: 'directory'
  getFileHandle(name: string, options?: { readonly create: boolean }): Promise<FileHandle>
  getDirectoryHandle(name: string, options?: { readonly create: boolean }): Promise<DirHandle>
  removeEntry(name: string, options?: { readonly recursive: boolean }): Promise<void>
  entries(): AsyncIterable<[string, FileHandle | DirHandle]>
}

export interface Place {
  readonly dir: DirHandle
  /** The encoded name in the browser's file system. */
  readonly name: string
}

/** Resolves to the result of `look`, or to undefined if the entry does not exist. */
export async function unlessMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotFoundError') return undefined
    throw cause
  }
}
