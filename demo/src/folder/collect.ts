import { formatBytes, formatCount, plural } from '../format.js'

/** What is taken from a folder at most. */
export interface FolderBounds {
  readonly files: number
  readonly bytes: number
  readonly fileBytes: number
}

const folderBounds: FolderBounds = { files: 10_000, bytes: 64 * 1024 * 1024, fileBytes: 8 * 1024 * 1024 }

export interface OpenedFolder {
  readonly name: string
  readonly files: Record<string, Uint8Array<ArrayBuffer>>
  /** What was left out, in words; empty: nothing. */
  readonly skipped: readonly string[]
}

const SKIPPED_FOLDERS = new Set(['.git', 'node_modules'])

/** Who waits for a folder. */
export interface Watch {
  /** With the number of files that have been read so far. */
  readonly onFiles?: (count: number) => void
  /** Aborted: nothing more is taken. */
  readonly signal?: AbortSignal
}

/** Takes files until a bound is reached, and keeps account of what it leaves out. */
export interface Collector {
  /** Whether what is in this directory is wanted at all. */
  enters(name: string): boolean
  /** `path` is relative to the folder. @throws the signal's reason */
  take(path: string, file: File | Promise<File>): Promise<void>
  /** Nothing more fits. */
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
      unreadable += 1 // Removed or locked since it was listed; told in `skipped`.
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
    // Its room is taken before it is read: several are read at once.
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
