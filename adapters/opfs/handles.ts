// The browser's handles, as far as they are used: TypeScript has no one library with both the page's and the worker's parts of them.

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
  /** Dedicated workers only. */
  createSyncAccessHandle(): Promise<SyncAccess>
  /** Safari has it since 26. What is written shows when it is closed, all at once. */
  createWritable(options?: { readonly keepExistingData: boolean }): Promise<Swap>
  /** Not in every browser. Over another file too, in one step. */
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
  /** As the browser has it. */
  readonly name: string
}

/** Where a place is not there: nothing. */
export async function unlessMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotFoundError') return undefined
    throw cause
  }
}
