import type { FileKind } from '../../types/fs.js'

/** The content of an entry: its bytes, or chunks in order. */
export type ArchiveContent = Uint8Array | AsyncIterable<Uint8Array>

/** The source of an archive: all of its bytes, or chunks of any size in order. */
export type ArchiveSource = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** One file, directory or link of an archive, independent of the format. */
export interface ArchiveEntry {
  /** A relative path, with `/` between components, and without `.`, `..`, empty components or a trailing slash. */
  readonly path: string
  /** The name as written in a tar archive: `./a`, `a//b`. Only `readTar` sets it, with `asWritten`, and only `writeTar` writes it. */
  readonly name?: string
  readonly kind: FileKind
  /** Permission bits (`0o755`), if the archive has them. */
  readonly mode?: number
  /** Milliseconds since the epoch, if the archive has a time. */
  readonly mtimeMs?: number
  /** Bytes of the content; 0 for directories and links. */
  readonly size: number
  /** Target of a link, as written. */
  readonly target?: string
  /** The path of an earlier entry whose file has the same content. Only `readTar` sets it, with `hardLinks`; writers reject it. */
  readonly hardLink?: string
  /**
   * Content of a file; absent for an empty file. Content from a stream must be read before the next entry is requested (`entryBytes`), and
   * must not be modified.
   */
  readonly content?: ArchiveContent
}

/** The entries of an archive, in order. */
export type ArchiveEntries = Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>
