import { FsError, hasCode, InputError } from '../../src/errors/index.js'
import { encodeUtf8, utf8Length } from '../../src/ops/utf8.js'
import type { MemoryAdapter, MemoryEntry, MemoryQuery } from '../../src/types/ports.js'
import type { Workspace } from '../../src/types/workspace.js'
import { Slicer } from '../../src/workspace/slicer.js'
import { versionOf } from '../../src/workspace/state.js'
import { endsLine, liveNotes, type Note, readLines, replaceKey, toLine } from './lines.js'
import { rankNotes } from './rank.js'

export interface WorkspaceMemoryOptions {
  /** Relative to the workspace's root, or absolute; default `.toolport/memory.jsonl`. */
  readonly path?: string
  /** Notes at the most; default 10,000. */
  readonly maxEntries?: number
  /** Bytes of the file at the most; default 8 MiB. */
  readonly maxBytes?: number
}

/** What is to be remembered. */
export interface MemoryNote {
  /** A short name. A note that has the same one is replaced. */
  readonly key?: string
  /** At most 64 KiB. */
  readonly text: string
  readonly category?: string
  readonly signal?: AbortSignal
}

export interface WorkspaceMemoryEntry extends MemoryEntry {
  readonly category?: string
  readonly createdMs: number
}

/** Long-term memory in one file of a workspace. Rejects with what the workspace says: `EACCES`, `EROFS`, `ENOSPC`, ... */
export interface WorkspaceMemory extends MemoryAdapter {
  /** The best first; for a blank query the newest first, without scores. */
  recall(request: MemoryQuery): Promise<readonly WorkspaceMemoryEntry[]>
  /** @throws InputError for a note that is none; FsError ENOSPC when the memory is full */
  store(note: MemoryNote): Promise<WorkspaceMemoryEntry>
  /** Whether there was a note with this key. Its line is gone from the file then. */
  forget(key: string, options?: { readonly signal?: AbortSignal }): Promise<boolean>
}

const PATH = '.toolport/memory.jsonl'
const MAX_ENTRIES = 10_000
const MAX_BYTES = 8 * 1024 * 1024
const DEFAULT_LIMIT = 5

/**
 * Memory as a file with one JSON object a line (`time`, `key`, `category`, `text`), so that people and version control can read it. It
 * goes through the workspace: its path rules, its quotas and its locks hold, and tools that may read the path can read it. Lines that
 * cannot be read are passed over and stay where they are.
 *
 * @throws {RangeError} a limit that is no whole number above 0; what is returned throws {WorkspaceError} for a path that is refused
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

/** What was read of the file, as long as it has this version. */
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

  /** The notes of the file as it is now; read only where it changed. */
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

  /** Whether the last line has no end: half a line must not swallow the next one. */
  async #isOpenEnded(workspace: Workspace, { size }: Known): Promise<boolean> {
    if (size === 0) return false
    const { bytes } = await workspace.readBytes(this.#options.path, { offset: size - 1, length: 1 })
    return !endsLine(bytes)
  }

  /** The file without the lines of `key`, and with `note` at its end. Every other line keeps its bytes. */
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

/** @throws InputError for what cannot be remembered */
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
