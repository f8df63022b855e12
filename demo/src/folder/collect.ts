import { formatBytes, formatCount, plural } from '../format.js'

/** Limits on what is read from a folder. */
export interface FolderBounds {
  readonly files: number
  readonly bytes: number
  readonly fileBytes: number
}

const folderBounds: FolderBounds = { files: 10_000, bytes: 64 * 1024 * 1024, fileBytes: 8 * 1024 * 1024 }

export interface OpenedFolder {
  readonly name: string
  readonly files: Record<string, Uint8Array<ArrayBuffer>>
  /** Descriptions of skipped files; empty if none were skipped. */
  readonly skipped: readonly string[]
}

const SKIPPED_FOLDERS = new Set(['.git', 'node_modules'])

/** Progress callback and cancellation for reading a folder. */
export interface Watch {
  /** Called with the number of files read so far. */
  readonly onFiles?: (count: number) => void
  /** Aborts the reading. */
  readonly signal?: AbortSignal
}

/** Collects files up to the limits and counts the skipped ones. */
export interface Collector {
  /** Whether to enter this directory. */
  enters(name: string): boolean
  /** `path` is relative to the folder. @throws the signal's reason */
  take(path: string, file: File | Promise<File>): Promise<void>
  /** Whether a limit is reached. */
  readonly full: boolean
  finish(name: string): OpenedFolder
}

export function createCollector(bounds: FolderBounds = folderBounds, { onFiles, signal }: Watch = {}): Collector {
  const files: Record<string, Uint8Array<ArrayBuffer>> = Object.create(null)
  const folders = new Set<string>()
  let count = 0
  let bytes = 0
  let large = 0
  let unreadable = 0
  let full = false

  async function take(path: string, file: File | Promise<File>): Promise<void> {
    try {
      await read(path, await file)
    } catch {
      unreadable += 1 // Removed or locked since it was listed; reported in `skipped`.
    }
    signal?.throwIfAborted()
  }

  async function read(path: string, file: File): Promise<void> {
    if (full) return
    if (file.size > bounds.fileBytes) {
      large += 1
      return
    }
    if (count >= bounds.files || bytes + file.size > bounds.bytes) {
      full = true
      return
    }
    // Reserves the file's room before reading, because several files are read concurrently.
    count += 1
    bytes += file.size
    try {
      files[path] = new Uint8Array(await file.arrayBuffer())
    } catch (error) {
      count -= 1
      bytes -= file.size
      throw error
    }
    onFiles?.(count)
  }

  function skipped(): string[] {
    return [
      ...[...folders].map((name) => `${name} folders`),
      ...(large ? [`${plural(large, 'file')} over ${formatBytes(bounds.fileBytes)}`] : []),
      ...(unreadable ? [`${plural(unreadable, 'file')} that could not be read`] : []),
      ...(full ? [`everything after the first ${formatCount(count)} files (${formatBytes(bytes)})`] : []),
    ]
  }

  return {
    enters(name) {
      if (!SKIPPED_FOLDERS.has(name)) return true
      folders.add(name)
      return false
    },
    take,
    get full() {
      return full
    },
    finish: (name) => ({ name, files, skipped: skipped() }),
  }
}
