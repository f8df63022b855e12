import { FsError, hasCode, InputError } from '../../src/errors/index.js'
import { encodeUtf8, utf8Length } from '../../src/ops/utf8.js'
import type { MemoryAdapter, MemoryEntry, MemoryQuery } from '../../src/types/ports.js'
import type { Workspace } from '../../src/types/workspace.js'
import { Slicer } from '../../src/workspace/slicer.js'
import { versionOf } from '../../src/workspace/state.js'
import { endsLine, liveNotes, type Note, readLines, replaceKey, toLine } from './lines.js'

/** Options of `createWorkspaceMemory`. */
export interface WorkspaceMemoryOptions {
  /** The file of the memory: an absolute path, or a path relative to the workspace's root. Default: `.toolport/memory.jsonl`. */
  readonly path?: string
  /** Maximum number of notes. Default: 10,000. */
  readonly maxEntries?: number
  /** Maximum bytes of the file. Default: 8 MiB. */
  readonly maxBytes?: number
}

/** A note to store. */
export interface MemoryNote {
  /** A short name. A new note replaces a note with the same key. */
  readonly key?: string
  /** The text of the note. The whole note may have up to 64 KiB in the file. */
  readonly text: string
  readonly category?: string
  readonly signal?: AbortSignal
}

/** A stored note. */
export interface WorkspaceMemoryEntry extends MemoryEntry {
  readonly category?: string
  readonly createdMs: number
}

/** Long-term memory in one file of a workspace. All methods reject with the workspace's errors: `EACCES`, `EROFS`, `ENOSPC`, ... */
export interface WorkspaceMemory extends MemoryAdapter {
  /** Returns matching notes, best first. A blank query returns the newest notes first, without scores. */
  recall(request: MemoryQuery): Promise<readonly WorkspaceMemoryEntry[]>
  /** @throws InputError for an invalid note; FsError ENOSPC if the memory is full */
  store(note: MemoryNote): Promise<WorkspaceMemoryEntry>
  /** Removes the note with this key from the file. Resolves to whether there was such a note. */
  forget(key: string, options?: { readonly signal?: AbortSignal }): Promise<boolean>
}

const PATH = '.toolport/memory.jsonl'
const MAX_ENTRIES = 10_000
const MAX_BYTES = 8 * 1024 * 1024
const DEFAULT_LIMIT = 5

/**
 * Stores memory as a file with one JSON object per line (`time`, `key`, `category`, `text`), which people can read and version control can
 * compare. The workspace's path rules, quotas and locks apply, and tools with access to the path can read the file. Unreadable lines are
 * ignored, but stay in the file.
 *
 * @throws {RangeError} for a limit that is not a positive integer; the returned function throws {WorkspaceError} for a path outside the
 * workspace
 */
export function createWorkspaceMemory(options: WorkspaceMemoryOptions = {}): (workspace: Workspace) => WorkspaceMemory {
  const { path = PATH, maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = options
  checkLimits({ maxEntries, maxBytes })
  return (workspace) => {
    const root = workspace.root === '/' ? '' : workspace.root
    return new FileMemory(workspace, { path: workspace.resolve(path.startsWith('/') ? path : `${root}/${path}`), maxEntries, maxBytes })
  }
}

function checkLimits(limits: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`Cannot create a memory: ${name} is ${value}, expected a whole number above 0`)
  }
}

/** The cached notes, valid as long as the file has this version. */
interface Known {
  readonly version: string
  readonly size: number
  readonly notes: readonly Note[]
}

const NOTHING: Known = { version: '', size: 0, notes: [] }

class FileMemory implements WorkspaceMemory {
  readonly #workspace: Workspace
  readonly #options: Required<WorkspaceMemoryOptions>
  #known: Known | undefined

  constructor(workspace: Workspace, options: Required<WorkspaceMemoryOptions>) {
    this.#workspace = workspace
    this.#options = options
  }

  async recall({ query, limit = DEFAULT_LIMIT, sinceMs, untilMs, signal }: MemoryQuery): Promise<readonly WorkspaceMemoryEntry[]> {
    signal?.throwIfAborted()
    const slicer = new Slicer(this.#workspace.host, { signal })
    const { notes } = await this.#load(this.#workspace, slicer)
    signal?.throwIfAborted()
    const inTime = notes.filter(({ createdMs }) => createdMs >= (sinceMs ?? -Infinity) && createdMs <= (untilMs ?? Infinity))
    const most = Math.max(0, Math.floor(limit))
    if (query.trim() === '') return newestFirst(inTime).slice(0, most)
    return (await rankNotes(inTime, query, slicer)).slice(0, most).map(({ note, score }) => ({ ...note, score }))
  }

  async store({ key, text, category, signal }: MemoryNote): Promise<WorkspaceMemoryEntry> {
    signal?.throwIfAborted()
    const createdMs = Math.floor(this.#workspace.host.now())
    const note: Note = { ...(key !== undefined && { key }), text, ...(category !== undefined && { category }), createdMs }
    checkNote(note)
    await this.#locked(signal, async (workspace, slicer) => {
      const known = await this.#load(workspace, slicer)
      signal?.throwIfAborted()
      const replaces = key !== undefined && known.notes.some((other) => other.key === key)
      if (!replaces && known.notes.length >= this.#options.maxEntries) throw this.#full(`it holds ${known.notes.length} notes`)
      await (replaces ? this.#rewrite(workspace, slicer, key, note) : this.#append(workspace, known, note))
    })
    return note
  }

  async forget(key: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<boolean> {
    signal?.throwIfAborted()
    return this.#locked(signal, async (workspace, slicer) => {
      const known = await this.#load(workspace, slicer)
      signal?.throwIfAborted()
      if (!known.notes.some((note) => note.key === key)) return false
      await this.#rewrite(workspace, slicer, key)
      return true
    })
  }

  #locked<T>(signal: AbortSignal | undefined, body: (workspace: Workspace, slicer: Slicer) => Promise<T>): Promise<T> {
    return this.#workspace.locked([this.#options.path], (workspace) => {
      signal?.throwIfAborted()
      return body(workspace, new Slicer(workspace.host, { signal }))
    })
  }

  /** Returns the current notes. Reads the file only if it has changed. */
  async #load(workspace: Workspace, slicer: Slicer): Promise<Known> {
    const { path } = this.#options
    try {
      const stat = await workspace.stat(path, 'recall from')
      if (this.#known?.version === versionOf(stat)) return this.#known
      const { bytes, version } = await this.#read(workspace, stat.size)
      const known = { version, size: bytes.length, notes: liveNotes(await readLines(bytes, slicer)) }
      this.#known = known
      return known
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return NOTHING
      throw error
    }
  }

  async #read(workspace: Workspace, size: number): Promise<{ readonly bytes: Uint8Array; readonly version: string }> {
    const { path, maxBytes } = this.#options
    if (size <= maxBytes) return workspace.readBytes(path)
    const detail = `it has ${size} bytes, a memory may have ${maxBytes}: shorten it, or move it away`
    throw new FsError({ code: 'EFBIG', op: 'recall from', path, detail })
  }

  async #append(workspace: Workspace, known: Known, note: Note): Promise<void> {
    const { path } = this.#options
    const line = encodeUtf8((await this.#isOpenEnded(workspace, known)) ? `\n${toLine(note)}` : toLine(note))
    this.#checkRoom(known.size + line.length)
    this.#known = undefined
    const { version, bytesAfter } = await workspace.writeBytes(path, line, { mode: 'append' })
    this.#known = { version, size: bytesAfter, notes: [...known.notes, note] }
  }

  /**
   * Returns whether the last line has no line break. A new note must then start on a new line, so that a partial line does not swallow it.
   */
  async #isOpenEnded(workspace: Workspace, { size }: Known): Promise<boolean> {
    if (size === 0) return false
    const { bytes } = await workspace.readBytes(this.#options.path, { offset: size - 1, length: 1 })
    return !endsLine(bytes)
  }

  /** Rewrites the file: removes the lines with `key` and appends `note`. Keeps the bytes of all other lines. */
  async #rewrite(workspace: Workspace, slicer: Slicer, key: string, note?: Note): Promise<void> {
    const { path } = this.#options
    const { bytes, version } = await workspace.readBytes(path)
    const kept = replaceKey(bytes, await readLines(bytes, slicer), key, note)
    this.#checkRoom(kept.length)
    this.#known = undefined
    await workspace.writeBytes(path, kept, { expect: version })
  }

  #checkRoom(bytes: number): void {
    const { maxBytes } = this.#options
    if (bytes > maxBytes) throw this.#full(`it would have ${bytes} bytes, more than ${maxBytes}`)
  }

  #full(why: string): FsError {
    return new FsError({ code: 'ENOSPC', op: 'add to', path: this.#options.path, detail: `the memory is full, ${why}: forget some first` })
  }
}

function newestFirst(notes: readonly Note[]): WorkspaceMemoryEntry[] {
  return [...notes].reverse().sort((a, b) => b.createdMs - a.createdMs)
}

const MAX_NOTE_BYTES = 64 * 1024

/** @throws {InputError} for an invalid note */
function checkNote(note: Note): void {
  const { key, text, category } = note
  checkText('text', text)
  if (key !== undefined) checkText('key', key)
  if (category !== undefined) checkText('category', category)
  const bytes = utf8Length(toLine(note))
  if (bytes > MAX_NOTE_BYTES) throw refused('text', `has ${bytes} bytes as a line, a note may have ${MAX_NOTE_BYTES}`)
}

function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw refused(name, 'must be text that is not blank')
}

const refused = (name: string, message: string): InputError =>
  new InputError('invalid_input', `Cannot remember this: ${name} ${message}`, { issues: [{ path: name, message }] })

interface Ranked {
  readonly note: Note
  /** The rank of the note, from 0 to 1, with three decimals. */
  readonly score: number
}

/** Saturation parameter of BM25. The value is low, because in short notes the presence of a word matters more than its frequency. */
const SATURATION = 0.4
/** Length normalisation parameter of BM25, with its usual value. */
const LENGTH_SHARE = 0.75

interface Counted {
  readonly note: Note
  /** Number of occurrences of each query term. */
  readonly counts: readonly number[]
  readonly length: number
}

/**
 * Ranks the notes that contain a query term, best first. The score is the BM25 score as a share of the maximum score. Among equal scores,
 * the newest note comes first, then the last one in the file.
 */
async function rankNotes(notes: readonly Note[], query: string, slicer: Slicer): Promise<Ranked[]> {
  const terms = [...new Set(termsOf(query))]
  const counted = await countTerms(notes, terms, slicer)
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / counted.length || 1
  const weights = terms.map((_, i) => rarity(counted.filter(({ counts }) => (counts[i] as number) > 0).length, counted.length))
  const best = weights.reduce((sum, weight) => sum + weight, 0)
  const ranked = counted.flatMap(({ note, counts, length }) => {
    const dampen = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / mean)
    const sum = counts.reduce((total, count, i) => total + ((weights[i] as number) * count) / (count + dampen), 0)
    return sum > 0 ? [{ note, score: rounded(sum / best) }] : []
  })
  return ranked.reverse().sort((a, b) => b.score - a.score || b.note.createdMs - a.note.createdMs)
}

async function countTerms(notes: readonly Note[], terms: readonly string[], slicer: Slicer): Promise<Counted[]> {
  const index = new Map(terms.map((term, i) => [term, i]))
  const counted: Counted[] = []
  for (const note of notes) {
    const counts = terms.map(() => 0)
    const found = termsOf(note.key === undefined ? note.text : `${note.key} ${note.text}`)
    for (const term of found) {
      const i = index.get(term)
      if (i !== undefined) counts[i] = (counts[i] as number) + 1
    }
    counted.push({ note, counts, length: found.length })
    if (slicer.due(5 + (note.text.length >> 3))) await slicer.pause()
  }
  return counted
}

/**
 * Returns the weight of a term: the fewer notes contain the term, the higher. The weight is above 0 even for a term that all notes contain.
 */
const rarity = (having: number, all: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5))

/** Rounds a score, so that small differences between engines do not affect the order. A match never gets the score 0. */
const rounded = (score: number): number => Math.max(0.001, Math.round(score * 1000) / 1000)

/** Combining marks of Latin, Greek and Cyrillic, which are removed. Marks of other scripts count as letters and stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
/** Matches more than 30 marks on one character, more than any script uses. They are cut, because normalising takes quadratic time. */
const PILED = /(\p{M}{30})\p{M}+/gu
/** Matches a term: a character of a script without spaces between words, a pictogram, or a run of other letters and digits. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const TERM = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+|\p{Extended_Pictographic}`, 'gu')

/** Returns the terms of a text in order, without case and accents. */
function termsOf(text: string): string[] {
  return fold(text).match(TERM) ?? []
}

function fold(text: string): string {
  // NFC joins Hangul syllables, and kana with marks, into one character each.
  return text.replace(PILED, '$1').normalize('NFKD').toLowerCase().replace(ACCENTS, '').replaceAll('ς', 'σ').normalize('NFC')
}
