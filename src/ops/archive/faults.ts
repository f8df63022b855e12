import { FsError, InputError } from '../../errors/index.js'

/** The machine-readable reason why an archive is rejected: `details.reason` of the `InputError`. */
export type ArchiveFault =
  /** Unknown format. */
  | 'format'
  /** The archive ends too early. */
  | 'truncated'
  /** The archive contradicts itself or a checksum. */
  | 'corrupt'
  /** An unsupported kind of entry or compression. */
  | 'unsupported'
  /** A name that leaves the archive's root, or that not every storage supports. */
  | 'name'
  /** Two entries for one path, or a file where a directory is needed. */
  | 'collision'
  /** A link that is not allowed, or that leads outside. */
  | 'link'

const SHOWN = 120

/** `detail` continues the sentence after the entry's name, if there is one: `entry "a/b" is a hard link`. */
export function archiveError(reason: ArchiveFault, detail: string, entry?: string): InputError {
  const what = entry === undefined ? detail : `entry ${shown(entry)} ${detail}`
  return new InputError('invalid_input', `Cannot read the archive: ${what}`, {
    details: { reason, ...(entry !== undefined && { entry }) },
  })
}

/** Creates an error about the entries that the caller passes to a writer. */
export function packError(detail: string, entry?: string): InputError {
  const what = entry === undefined ? detail : `entry ${shown(entry)} ${detail}`
  return new InputError('invalid_input', `Cannot write the archive: ${what}`, { ...(entry !== undefined && { details: { entry } }) })
}

/** Creates the error for an exceeded limit. Without `entry` the error is about the whole archive. */
export function tooLarge(detail: string, entry = 'archive'): FsError {
  return new FsError({ code: 'EFBIG', op: 'unpack', path: entry.length > SHOWN ? `${entry.slice(0, SHOWN)}...` : entry, detail })
}

/** Quotes a name for a message, on one line, truncated. */
function shown(entry: string): string {
  return JSON.stringify(entry.length > SHOWN ? `${entry.slice(0, SHOWN)}...` : entry)
}
