import type { ArchiveLimits } from '../../ops/archive/limits.js'

/** Options of `importEntries`. */
export interface ImportOptions {
  /** The target directory; created if missing. Default the root. */
  readonly path?: string
  /**
   * Number of leading path components to remove, as for tarballs with one top directory. Skips entries with no components left. Default 0.
   */
  readonly strip?: number
  /** Existing files and links: `refuse` (default) fails with EEXIST before any change, `replace` replaces them, `skip` keeps them. */
  readonly overwrite?: 'refuse' | 'replace' | 'skip'
  /** Links of the archive: `refuse` (default) fails, `skip` omits them, `keep` creates those whose targets stay inside the directory. */
  readonly links?: 'refuse' | 'skip' | 'keep'
  /** Set permission bits if both the archive and the storage have them; the owner always keeps read and write access. Default true. */
  readonly modes?: boolean
  /** Set modification times of files if both the archive and the storage have them. Default false. */
  readonly times?: boolean
  readonly limits?: ArchiveLimits
  readonly signal?: AbortSignal
  /** Called after each entry. An exception ends the import. */
  readonly onProgress?: (progress: ImportProgress) => void
}

/** The state of a running import. */
export interface ImportProgress {
  /** Virtual path of the last imported entry. */
  readonly path: string
  /** Number of files so far. */
  readonly files: number
  /** Bytes of file content so far. */
  readonly bytes: number
}

/** The result of an import. */
export interface ImportReport {
  /** Virtual path of the target directory. */
  readonly path: string
  /** Number of written files. */
  readonly files: number
  /** Number of created directories, including parents of entries. */
  readonly directories: number
  readonly links: number
  /** Bytes of file content. */
  readonly bytes: number
  /** Number of existing files and links that the import replaced. */
  readonly replaced: number
  /** Skipped entries, by path in the archive. A hard link to a skipped file has the reason `link`. */
  readonly skipped: readonly { readonly path: string; readonly reason: 'exists' | 'link' | 'special' | 'stripped' }[]
}

type Chosen = Required<Pick<ImportOptions, 'strip' | 'overwrite' | 'links' | 'modes' | 'times'>>

/** @throws {TypeError} */
export function chosen(options: ImportOptions): Chosen {
  const { strip = 0, overwrite = 'refuse', links = 'refuse', modes = true, times = false } = options
  if (!Number.isInteger(strip) || strip < 0) throw new TypeError('The import option "strip" must be a whole number of 0 or more')
  if (!['refuse', 'replace', 'skip'].includes(overwrite))
    throw new TypeError('The import option "overwrite" must be refuse, replace or skip')
  if (!['refuse', 'skip', 'keep'].includes(links)) throw new TypeError('The import option "links" must be refuse, skip or keep')
  return { strip, overwrite, links, modes, times }
}
