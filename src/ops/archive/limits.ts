/** What an archive may take, so that a hostile one can fill neither memory nor storage. Past one it is EFBIG. */
export interface ArchiveLimits {
  /** Files, directories (also those that only stand in a path) and links. Default 100,000. */
  readonly entries?: number
  /** Content of all files together. Default 256 MiB. */
  readonly bytes?: number
  /** Content of one file. Default 64 MiB. */
  readonly fileBytes?: number
  /** One path in UTF-8. Default 4096. */
  readonly pathBytes?: number
  /** Times that what was compressed may grow when it is unpacked; counts from 16 MiB unpacked. Default 200. */
  readonly ratio?: number
}

const MIB = 1024 * 1024

export const DEFAULT_ARCHIVE_LIMITS: Required<ArchiveLimits> = {
  entries: 100_000,
  bytes: 256 * MIB,
  fileBytes: 64 * MIB,
  pathBytes: 4096,
  ratio: 200,
}

/** Unpacked bytes that are let through whatever the ratio: small archives of zeros are no danger. */
export const RATIO_COUNTS_FROM: number = 16 * MIB

/** @throws {TypeError} for one that is no number, or negative */
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
