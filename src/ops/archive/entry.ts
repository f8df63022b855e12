import type { FileKind } from '../../types/fs.js'

/** Bytes, or runs of them in order. */
export type ArchiveContent = Uint8Array | AsyncIterable<Uint8Array>

/** Where an archive is read from: all of it, or its parts in order, cut anywhere. */
export type ArchiveSource = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** One file, directory or link of an archive, the same for every format. */
export interface ArchiveEntry {
  /** Relative, `/` between components, without `.`, `..`, empty components or a slash at the end. */
  readonly path: string
  /** As a tar archive has it: `./a`, `a//b`. Only `readTar` gives it, when it is told to, and only `writeTar` writes it. */
  readonly name?: string
  readonly kind: FileKind
  /** Permission bits (`0o755`), where the archive has them. */
  readonly mode?: number
  /** Milliseconds since the epoch, where the archive has a time. */
  readonly mtimeMs?: number
  /** Bytes of the content; 0 for a directory or link. */
  readonly size: number
  /** Of a link, as written. */
  readonly target?: string
  /** The content is that of the file with this path, an entry before it. Only `readTar` gives it, when it is told to; writers refuse it. */
  readonly hardLink?: string
  /**
   * Of a file; absent: it is empty. What a reader of a stream gives has to be read before the next entry is asked for (`entryBytes`), and
   * must not be changed.
   */
  readonly content?: ArchiveContent
}

/** Entries in order, as they come. */
export type ArchiveEntries = Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>
