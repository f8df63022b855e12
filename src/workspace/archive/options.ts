import type { ArchiveLimits } from '../../ops/archive/limits.js'

export interface ImportOptions {
  /** The directory to import into, made when it is missing. Default the root. */
  readonly path?: string
  /** Leading components of every path to drop, as for tarballs with one directory at the top. What has no more is skipped. Default 0. */
  readonly strip?: number
  /** A file or link that is there already: EEXIST before anything is done (default), put the new one in its place, or leave it. */
  readonly overwrite?: 'refuse' | 'replace' | 'skip'
  /** Links of the archive: refuse it (default), leave them out, or make those that lead nowhere but inside the directory. */
  readonly links?: 'refuse' | 'skip' | 'keep'
  /** Set permission bits where the archive and the storage have them; the owner may always read and write. Default true. */
  readonly modes?: boolean
  /** Set times of files where the archive and the storage have them. Default false. */
  readonly times?: boolean
  readonly limits?: ArchiveLimits
  readonly signal?: AbortSignal
  /** Told after each entry. What it throws ends the import. */
  readonly onProgress?: (progress: ImportProgress) => void
}

export interface ImportProgress {
  /** Virtual path of the last entry. */
  readonly path: string
  readonly files: number
  readonly bytes: number
}

export interface ImportReport {
  /** Virtual path of the directory. */
  readonly path: string
  /** Written. */
  readonly files: number
  /** Made, those that only stand in paths too. */
  readonly directories: number
  readonly links: number
  /** Of the files. */
  readonly bytes: number
  /** Files and links in whose place a new one is now. */
  readonly replaced: number
  /** What was left out, by its path in the archive; a hard link to a file that was left out is a `link`. */
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
