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

/** Takes files one after the other until a bound is reached, and keeps account of what it leaves out. */
export interface Collector {
  /** Whether what is in this directory is wanted at all. */
  enters(name: string): boolean
  /** `path` is relative to the folder. */
  take(path: string, file: File): Promise<void>
  /** Nothing more fits. */
  readonly full: boolean
  finish(name: string): OpenedFolder
}

export function createCollector(bounds: FolderBounds = folderBounds): Collector {
  const files: Record<string, Uint8Array<ArrayBuffer>> = Object.create(null)
  const folders = new Set<string>()
  let count = 0
  let bytes = 0
  let large = 0
  let unreadable = 0
  let full = false

  async function take(path: string, file: File): Promise<void> {
    if (full) return
    if (file.size > bounds.fileBytes) {
      large += 1
      return
    }
    if (count >= bounds.files || bytes + file.size > bounds.bytes) {
      full = true
      return
    }
    try {
      const content = new Uint8Array(await file.arrayBuffer())
      files[path] = content
      count += 1
      bytes += content.length
    } catch {
      unreadable += 1 // Removed or locked since it was listed; told in `skipped`.
    }
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
