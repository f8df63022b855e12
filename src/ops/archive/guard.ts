import type { FileKind } from '../../types/fs.js'
import { archiveError, tooLarge } from './faults.js'
import { type ArchiveLimits, limitsOf } from './limits.js'

interface GuardOptions {
  /**
   * Whether the storage distinguishes case. If false, `a` and `A` are the same path, and so are the composed and the decomposed form of a
   * letter. Default true.
   */
  readonly caseSensitive?: boolean
  /** Whether a file may occur again. The later entry replaces the earlier one. Default false. */
  readonly repeats?: boolean
}

/** Checks the entries of one archive against the limits, and rejects entries that conflict. */
export class EntryGuard {
  readonly limits: Required<ArchiveLimits>
  /** All paths so far, including parent directories. `implied` marks a directory that no entry has named yet. */
  readonly #kinds = new Map<string, FileKind | 'implied'>()
  readonly #fold: (path: string) => string
  readonly #repeats: boolean
  #entries = 0
  #bytes = 0

  constructor(limits: ArchiveLimits | undefined, { caseSensitive = true, repeats = false }: GuardOptions = {}) {
    this.limits = limitsOf(limits)
    this.#repeats = repeats
    this.#fold = caseSensitive ? (path) => path : (path) => path.normalize('NFC').toLowerCase()
  }

  /**
   * Checks and records an entry. A directory may occur twice. Rejects any other duplicate, because readers disagree about which entry
   * counts.
   *
   * @throws {InputError} `collision`; {FsError} EFBIG
   */
  admit(path: string, kind: FileKind, size: number): void {
    const { fileBytes, bytes } = this.limits
    if (size > fileBytes) throw tooLarge(`its ${size} bytes exceed the limit of ${fileBytes} for one file`, path)
    this.#bytes += size
    if (this.#bytes > bytes) throw tooLarge(`the files exceed the limit of ${bytes} bytes`, path)
    const key = this.#fold(path)
    this.#implyParents(key, path)
    const before = this.#kinds.get(key)
    const mayRepeat = kind === 'dir' || (this.#repeats && kind === 'file')
    if (before === undefined || (before === kind && mayRepeat)) this.#add(key, kind, path)
    else if (before === 'implied' && kind === 'dir') this.#kinds.set(key, kind)
    else
      throw archiveError('collision', before === 'implied' ? 'is not a directory, but other entries are below it' : 'appears twice', path)
  }

  #implyParents(key: string, path: string): void {
    for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
      const parent = key.slice(0, end)
      const kind = this.#kinds.get(parent)
      if (kind === 'dir' || kind === 'implied') return
      if (kind !== undefined) throw archiveError('collision', `is below a ${kind === 'file' ? 'file' : 'link'}`, path)
      this.#add(parent, 'implied', path)
    }
  }

  #add(key: string, kind: FileKind | 'implied', path: string): void {
    if (++this.#entries > this.limits.entries) throw tooLarge(`it has more entries than the limit of ${this.limits.entries}`, path)
    this.#kinds.set(key, kind)
  }
}
