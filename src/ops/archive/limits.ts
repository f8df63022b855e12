/** Limits on archives, so that a hostile archive cannot fill memory or storage. An archive over a limit fails with EFBIG. */
export interface ArchiveLimits {
  /** Maximum number of files, links and directories, including parents of entries, and repeated entries. Default 100,000. */
  readonly entries?: number
  /** Maximum bytes of the content of all files together. Default 256 MiB. */
  readonly bytes?: number
  /** Maximum bytes of the content of one file. Default 64 MiB. */
  readonly fileBytes?: number
  /** Maximum length of one path in UTF-8 bytes. Default 4096. */
  readonly pathBytes?: number
  /** Maximum ratio of unpacked to compressed size. Applies from 16 MiB of unpacked data. Default 200. */
  readonly ratio?: number
}

const MIB = 1024 * 1024

/** The limits for archives when you pass none. */
export const DEFAULT_ARCHIVE_LIMITS: Required<ArchiveLimits> = {
  entries: 100_000,
  bytes: 256 * MIB,
  fileBytes: 64 * MIB,
  pathBytes: 4096,
  ratio: 200,
}

/** The ratio applies from this number of unpacked bytes on: small archives of zeros are harmless. */
export const RATIO_COUNTS_FROM: number = 16 * MIB

/** @throws {TypeError} for a limit that is not a number, or negative */
export function limitsOf(limits: ArchiveLimits | undefined): Required<ArchiveLimits> {
  const all = { ...DEFAULT_ARCHIVE_LIMITS }
  for (const name of Object.keys(all) as (keyof ArchiveLimits)[]) {
    const value = limits?.[name]
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`The archive limit "${name}" must be a number of 0 or more`)
    all[name] = value
  }
  return all
}
