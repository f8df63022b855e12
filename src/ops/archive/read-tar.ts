import { decodeUtf8 } from '../utf8.js'
import { ByteReader } from './byte-reader.js'
import type { ArchiveEntry, ArchiveSource } from './entry.js'
import { archiveError, tooLarge } from './faults.js'
import { EntryGuard } from './guard.js'
import type { ArchiveLimits } from './limits.js'
import { entryPath } from './names.js'
import { type PaxRecords, parsePax } from './pax.js'
import { BLOCK, isZero, parseHeader, type TarHeader } from './tar-fields.js'

/** Options of `readTar`. */
export interface ReadTarOptions {
  readonly limits?: ArchiveLimits
  /**
   * What to do with devices, FIFOs, names with a backslash and, without `hardLinks`, hard links: `refuse` the archive (default) or `skip`
   * them.
   */
  readonly special?: 'refuse' | 'skip'
  /** Called with the path of each skipped entry. */
  readonly onSkipped?: (path: string) => void
  /** Yield hard links as entries. Default false. */
  readonly hardLinks?: boolean
  /** Yield each `name` as written, including the top (`./`, with an empty path) and repeated files. Default false. */
  readonly asWritten?: boolean
  readonly signal?: AbortSignal
}

/** Maximum size in bytes of a file that is yielded with its content in memory. */
const WHOLE = 64 * 1024
/** Limits for extension headers, which describe the next entry: bytes of one header, and number of headers in a row. */
const EXTENSION_BYTES = 1024 * 1024
const EXTENSIONS = 8
/** Maximum bytes to read after the end of the archive. */
const BEHIND_BYTES = 64 * 1024 * 1024

const HARD_LINK = '1'

const SPECIAL: Readonly<Record<string, string>> = {
  1: 'is a hard link',
  3: 'is a character device',
  4: 'is a block device',
  6: 'is a fifo',
}

/** The data of the extension headers before an entry. */
interface Extensions {
  readonly pax: PaxRecords
  readonly name?: string
  readonly linkName?: string
}

interface Named {
  readonly name: string
  readonly size: number
  readonly linkName: string
  readonly mtimeMs: number | undefined
}

/**
 * Yields the entries of a tar archive in order: v7, ustar, pax and GNU. Checks names (`entryPath`) and limits, and ignores data after the
 * end marker. Holds one block, and files up to 64 KiB, in memory.
 *
 * @throws {InputError} with `details.reason` and, if one entry is the cause, `details.entry`; {FsError} EFBIG; the signal's reason
 */
export async function* readTar(source: ArchiveSource, options: ReadTarOptions = {}): AsyncGenerator<ArchiveEntry> {
  const tar = new TarReader(source, options)
  try {
    for (let entry = await tar.next(); entry; entry = await tar.next()) yield entry
  } finally {
    tar.close()
  }
}

class TarReader {
  readonly #bytes: ByteReader
  readonly #guard: EntryGuard
  readonly #skipSpecial: boolean
  readonly #onSkipped: ReadTarOptions['onSkipped']
  readonly #keepsHardLinks: boolean
  readonly #asWritten: boolean
  /** The records of a global header, which apply to all later entries. */
  #global: PaxRecords = {}
  /** Unread content of the last entry, and the padding after it. */
  #left = 0
  #padding = 0
  #current: object | undefined

  constructor(
    source: ArchiveSource,
    { limits, special = 'refuse', onSkipped, hardLinks = false, asWritten = false, signal }: ReadTarOptions,
  ) {
    this.#guard = new EntryGuard(limits, { repeats: asWritten })
    this.#asWritten = asWritten
    this.#skipSpecial = special === 'skip'
    this.#onSkipped = onSkipped
    this.#keepsHardLinks = hardLinks
    this.#bytes = new ByteReader(source, signal)
  }

  close(): void {
    this.#current = undefined
    this.#bytes.close()
  }

  async next(): Promise<ArchiveEntry | undefined> {
    await this.#pass()
    let extensions: Extensions = { pax: this.#global }
    for (let count = 0; ; ) {
      const block = await this.#bytes.read(BLOCK)
      if (block.length < BLOCK) throw this.#cut(block.length)
      if (isZero(block)) return this.#end()
      const header = parseHeader(block, this.#bytes.position - BLOCK)
      const extended = await this.#extended(header, extensions)
      if (extended) {
        if (++count > EXTENSIONS) throw archiveError('corrupt', `has more than ${EXTENSIONS} headers before it`, header.name)
        extensions = extended
        continue
      }
      const entry = await this.#entry(header, extensions)
      if (entry) return entry
      extensions = { pax: this.#global }
      count = 0
    }
  }

  /** Skips the rest of the last entry. */
  async #pass(): Promise<void> {
    this.#current = undefined
    const length = this.#left + this.#padding
    if (length > 0 && (await this.#bytes.skip(length)) < length) throw this.#cut(0)
    this.#left = 0
    this.#padding = 0
  }

  /** Reads an extension header (pax or GNU) and adds its data to `before`. Undefined for the header of an entry. */
  async #extended(header: TarHeader, before: Extensions): Promise<Extensions | undefined> {
    if (!'xgLK'.includes(header.type)) return undefined
    if (header.size > EXTENSION_BYTES) throw tooLarge(`a header before it has ${header.size} bytes`, header.name)
    const bytes = await this.#bytes.read(header.size)
    const padding = paddingOf(header.size)
    if (bytes.length < header.size || (await this.#bytes.skip(padding)) < padding) throw this.#cut(0)
    if (header.type === 'L') return { ...before, name: longName(bytes) }
    if (header.type === 'K') return { ...before, linkName: longName(bytes) }
    const records = parsePax(bytes)
    if (header.type === 'g') this.#global = { ...this.#global, ...records }
    return { ...before, pax: { ...before.pax, ...records } }
  }

  /** @returns undefined if the entry is skipped */
  async #entry(header: TarHeader, extensions: Extensions): Promise<ArchiveEntry | undefined> {
    const named = nameOf(header, extensions)
    const { name, size } = named
    const names = header.type === HARD_LINK ? [name, named.linkName] : [name]
    if (this.#skipSpecial && names.some((each) => each.includes('\\'))) return this.#leaveOut(name, size)
    const path = entryPath(name, this.#guard.limits.pathBytes)
    const kind = kindOf(header.type, named)
    const common = {
      path,
      ...(this.#asWritten && { name }),
      ...modeOf(header),
      ...(named.mtimeMs !== undefined && { mtimeMs: named.mtimeMs }),
    }
    if (header.type === HARD_LINK && this.#keepsHardLinks) {
      this.#without(size, 'is a hard link with content', name)
      this.#guard.admit(path, 'file', 0)
      return { ...common, kind: 'file', size: 0, hardLink: entryPath(targetOf(named), this.#guard.limits.pathBytes) }
    }
    if (kind === 'special') {
      const what = SPECIAL[header.type] as string
      if (!this.#skipSpecial) throw archiveError('unsupported', what, name)
      this.#onSkipped?.(path)
      return this.#without(size, `${what} with content`, name)
    }
    if (kind === 'file') {
      if (path === '') throw archiveError('name', 'is a file without a name', name)
      this.#guard.admit(path, kind, size)
      return { ...common, kind, size, ...(size > 0 && { content: await this.#content(path, size) }) }
    }
    this.#without(size, `is a ${kind === 'dir' ? 'directory' : 'link'} with content`, name)
    if (path === '' && kind === 'dir') return this.#asWritten ? { ...common, kind, size: 0 } : undefined
    if (path === '') throw archiveError('name', 'is a link without a name', name)
    this.#guard.admit(path, kind, 0)
    return kind === 'dir' ? { ...common, kind, size: 0 } : { ...common, kind, size: 0, target: targetOf(named) }
  }

  async #leaveOut(name: string, size: number): Promise<undefined> {
    this.#onSkipped?.(name)
    this.#left = size
    this.#padding = paddingOf(size)
    await this.#pass()
    return undefined
  }

  async #content(path: string, size: number): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
    this.#padding = paddingOf(size)
    if (size <= WHOLE) {
      const bytes = await this.#bytes.read(size)
      if (bytes.length < size) throw this.#cut(0, path)
      return bytes.slice()
    }
    this.#left = size
    const token = {}
    this.#current = token
    return { [Symbol.asyncIterator]: () => this.#body(path, token) }
  }

  async *#body(path: string, token: object): AsyncGenerator<Uint8Array> {
    while (this.#current === token && this.#left > 0) {
      const part = await this.#bytes.some(this.#left)
      if (!part) throw this.#cut(0, path)
      this.#left -= part.length
      yield part
    }
    if (this.#current !== token) throw new TypeError(`The content of "${path}" was skipped: read it before the next entry`)
  }

  /** Rejects an entry with content if programs interpret such content differently. */
  #without(size: number, what: string, name: string): undefined {
    if (size > 0) throw archiveError('corrupt', what, name)
    return undefined
  }

  /** Reads to the last byte, so that the enclosing gzip stream is checked completely. */
  async #end(): Promise<undefined> {
    if ((await this.#bytes.skip(BEHIND_BYTES)) === BEHIND_BYTES) throw tooLarge(`more than ${BEHIND_BYTES} bytes follow its end`)
    return undefined
  }

  #cut(extra: number, path?: string): Error {
    const { position } = this.#bytes
    if (position === 0) return archiveError('format', 'it is empty')
    if (position === extra) return archiveError('format', 'it is not a tar archive')
    return path === undefined
      ? archiveError('truncated', `it is cut off at byte ${position}`)
      : archiveError('truncated', `is cut off: the archive ends at byte ${position}`, path)
  }
}

/** @throws {InputError} `corrupt` */
function nameOf(header: TarHeader, { pax, name, linkName }: Extensions): Named {
  const full = pax.path || name || header.name
  return {
    name: full,
    size: pax.size ? paxSize(pax.size, full) : header.size,
    linkName: pax.linkpath || linkName || header.linkName,
    mtimeMs: mtimeOf(pax.mtime ? Number(pax.mtime) : header.mtime),
  }
}

function paxSize(text: string, name: string): number {
  const size = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(size)) throw archiveError('corrupt', 'has a size that cannot be read', name)
  return size
}

function mtimeOf(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined
}

function modeOf({ mode }: TarHeader): { mode?: number } {
  return mode === undefined || mode < 0 ? {} : { mode: mode % 0o1000 }
}

/** @throws {InputError} `unsupported`, `corrupt` */
function kindOf(type: string, { name }: Named): 'file' | 'dir' | 'symlink' | 'special' {
  if (type === '5') return 'dir'
  if (type === '2') return 'symlink'
  if (Object.hasOwn(SPECIAL, type)) return 'special'
  // Old programs mark a directory only by a trailing slash; such an entry with content was rejected above.
  if (type === '0' || type === '7') return name.endsWith('/') ? 'dir' : 'file'
  const what = type === 'S' ? 'is a sparse file' : `is of the unknown type ${JSON.stringify(type)}`
  throw archiveError('unsupported', `${what}, which is not supported`, name)
}

function targetOf({ name, linkName }: Named): string {
  if (linkName === '' || linkName.includes('\0')) throw archiveError('link', 'is a link without a valid target', name)
  return linkName
}

/** Decodes a long name, which ends with one or more NULs. @throws {InputError} `name` */
function longName(bytes: Uint8Array): string {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  const name = decodeUtf8(bytes.subarray(0, end))
  if (name === undefined) throw archiveError('name', 'a long name is not UTF-8')
  return name
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}
