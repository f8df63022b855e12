import { FsError, InputError } from '../../errors/index.js'

/** What is wrong with an archive, for programs: `details.reason` of the `InputError`. */
export type ArchiveFault =
  /** None that is known here. */
  | 'format'
  /** It ends too early. */
  | 'truncated'
  /** It contradicts itself, or a checksum. */
  | 'corrupt'
  /** A kind of entry, or a way of storing it, that is not read. */
  | 'unsupported'
  /** A name that leads out, or that not every storage can keep. */
  | 'name'
  /** Two entries for one path, or a file where a directory has to be. */
  | 'collision'
  /** A link that is not wanted, or that leads out. */
  | 'link'

const SHOWN = 120

/** `detail` goes on after the entry's name, if there is one: `entry "a/b" is a hard link`. */
export function archiveError(reason: ArchiveFault, detail: string, entry?: string): InputError {
  const what = entry === undefined ? detail : `entry ${shown(entry)} ${detail}`
  return new InputError('invalid_input', `Cannot read the archive: ${what}`, {
    details: { reason, ...(entry !== undefined && { entry }) },
  })
}

/** For what the caller of a writer has to change. */
export function packError(detail: string, entry?: string): InputError {
  const what = entry === undefined ? detail : `entry ${shown(entry)} ${detail}`
  return new InputError('invalid_input', `Cannot write the archive: ${what}`, { ...(entry !== undefined && { details: { entry } }) })
}

/** A limit is passed. Without an entry the archive as a whole is meant. */
export function tooLarge(detail: string, entry = 'archive'): FsError {
  return new FsError({ code: 'EFBIG', op: 'unpack', path: entry.length > SHOWN ? `${entry.slice(0, SHOWN)}...` : entry, detail })
}

/** In quotes, on one line, and not too long. */
function shown(entry: string): string {
  return JSON.stringify(entry.length > SHOWN ? `${entry.slice(0, SHOWN)}...` : entry)
}
