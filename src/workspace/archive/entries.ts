import { FsError, hasCode, InputError, WorkspaceError } from '../../errors/index.js'
import type { ArchiveContent, ArchiveEntry } from '../../ops/archive/entry.js'
import { compileGlob } from '../../ops/glob.js'
import type { GlobBase } from '../../ops/glob-parse.js'
import type { FsStat } from '../../types/fs.js'
import type { WalkEntry, WalkFilter, Workspace } from '../../types/workspace.js'
import { isWithin, joinPath, parentPath, relativePath } from '../paths.js'
import { Slicer } from '../slicer.js'
import { versionOf } from '../state.js'

/** Options of `archiveEntries`. */
export interface ArchiveEntriesOptions {
  /** The directory to archive. Entry names are relative to it. Default: the root. */
  readonly path?: string
  /** Skip `.git`, the paths that `.gitignore` files list and the runtime's spill folder. Default false: an archive contains everything. */
  readonly ignore?: boolean
  /** Globs of further paths to skip with everything below them, relative to `path`: `dist`, `**\/node_modules`. */
  readonly exclude?: string | readonly string[]
  /**
   * What to do with links. `keep` (default) stores them as links, and converts absolute targets to relative ones, because another workspace
   * may have another root. `skip` omits links. `refuse` fails on a link.
   */
  readonly links?: 'keep' | 'skip' | 'refuse'
  /** Include permission bits if the storage keeps them. Default false. */
  readonly modes?: boolean
  /** Include modification times. Default false. */
  readonly times?: boolean
  /**
   * Called with the virtual path of each skipped FIFO, socket and device, and of each skipped name with a backslash, which no workspace can
   * read (for a directory, once for everything below it). Default: skips them silently.
   */
  readonly onLeftOut?: (path: string) => void
  readonly signal?: AbortSignal
}

/** Part size in bytes. A file up to this size is read with one call, a larger file in parts of this size. */
const PART = 1024 * 1024
/** Estimated cost of one entry, in microseconds; the content counts separately. */
const STEPS = 16

/**
 * Lists the entries of a workspace for an archive: directories before their content, names by code unit. Each entry reads its content on
 * demand, any number of times. Files that disappear meanwhile are skipped.
 *
 * @throws {FsError} ESTALE from the content: the file changed since it was listed; the errors of walking and reading
 *
 * @throws {WorkspaceError} `symlink_escape` for a link that leads out of the workspace
 */
export function archiveEntries(workspace: Workspace, options: ArchiveEntriesOptions = {}): AsyncGenerator<ArchiveEntry> {
  return entriesOf(workspace, options, false)
}

/** With `whole`, reads files up to 1 MiB before it yields them, so that the size of a changing file matches its content. */
export async function* entriesOf(workspace: Workspace, options: ArchiveEntriesOptions, whole: boolean): AsyncGenerator<ArchiveEntry> {
  const { signal, ignore = false } = options
  const top = await workspace.realpath(options.path ?? workspace.root)
  const taker = new Taker(workspace, top, options, whole)
  const slicer = new Slicer(workspace.host, { signal })
  const filter = filterOf(options.exclude, { start: top, root: workspace.root })
  const onError = (path: string, error: unknown): void => {
    if (hasCode(error, 'ENOTSUP')) options.onLeftOut?.(path)
    else if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
  }
  for await (const run of workspace.walk(top, { ignore, onError, ...(filter && { filter }), ...(signal && { signal }) })) {
    for (const found of run) {
      signal?.throwIfAborted()
      if (found.path.includes('\\')) {
        if (!parentPath(found.path).includes('\\')) options.onLeftOut?.(found.path)
        continue
      }
      const entry = await taker.take(found)
      if (entry) yield entry
      if (slicer.due(STEPS + (entry?.size ?? 0) / 1024)) await slicer.pause()
    }
  }
}

class Taker {
  readonly #workspace: Workspace
  readonly #top: string
  readonly #options: ArchiveEntriesOptions
  readonly #whole: boolean

  constructor(workspace: Workspace, top: string, options: ArchiveEntriesOptions, whole: boolean) {
    this.#workspace = workspace
    this.#top = top
    this.#options = options
    this.#whole = whole
  }

  /** @returns undefined if the entry is skipped, or was removed meanwhile */
  async take(found: WalkEntry): Promise<ArchiveEntry | undefined> {
    try {
      return await this.#entry(found)
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR') && error.path === found.path) return undefined
      throw error
    }
  }

  async #entry({ path, kind, size }: WalkEntry): Promise<ArchiveEntry | undefined> {
    const { modes = false, times = false, links = 'keep' } = this.#options
    if (kind === 'symlink' && links === 'skip') return undefined
    if (kind === 'symlink' && links === 'refuse') {
      throw new WorkspaceError('symlink_escape', path, `Cannot pack "${path}": it is a link. Pass links: "keep" or "skip"`)
    }
    const stat = modes || times || (kind === 'file' && size === undefined) ? await this.#workspace.lstat(path) : undefined
    const common = {
      path: relativePath(path, this.#top),
      ...(modes && stat?.mode !== undefined && { mode: stat.mode }),
      ...(times && stat && { mtimeMs: stat.mtimeMs }),
    }
    if (kind === 'dir') return { ...common, kind, size: 0 }
    if (kind === 'symlink') return { ...common, kind, size: 0, target: await this.#target(path) }
    return { ...common, kind, ...(await this.#content(path, stat?.size ?? size ?? 0)) }
  }

  async #content(path: string, size: number): Promise<{ readonly size: number; readonly content?: ArchiveContent }> {
    if (this.#whole && size <= PART) {
      const { bytes } = await this.#workspace.readBytes(path)
      return { size: bytes.length, content: bytes }
    }
    if (size > PART) {
      const stat = await this.#workspace.lstat(path)
      return { size: stat.size, content: again(() => readParts(this.#workspace, path, stat)) }
    }
    return { size, content: again(() => readWhole(this.#workspace, path, size)) }
  }

  /** @throws {WorkspaceError} `symlink_escape` */
  async #target(path: string): Promise<string> {
    const target = await this.#workspace.readlink(path)
    if (!target.startsWith('/')) return target
    const to = inWorkspace(this.#workspace, target)
    if (to !== undefined) return relativeTo(parentPath(path), to)
    throw new WorkspaceError(
      'symlink_escape',
      path,
      `Cannot pack the link "${path}": it points outside the workspace. Remove it, exclude it, or pass links: "skip"`,
    )
  }
}

/** Converts an absolute target to a virtual path: links that a real shell created contain machine paths. */
function inWorkspace({ fs, root }: Workspace, target: string): string | undefined {
  const host = fs.hostPath?.('/')
  if (host !== undefined && isWithin(target, host)) return target === host ? root : joinPath(root, relativePath(target, host))
  return isWithin(target, root) ? target : undefined
}

function relativeTo(folder: string, path: string): string {
  const from = folder.split('/').filter(Boolean)
  const to = path.split('/').filter(Boolean)
  let same = 0
  while (same < from.length && same < to.length && from[same] === to[same]) same++
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/') || '.'
}

function again(read: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() }
}

async function* readWhole(workspace: Workspace, path: string, size: number): AsyncGenerator<Uint8Array> {
  const { bytes } = await workspace.readBytes(path)
  if (bytes.length !== size) throw changed(path)
  yield bytes
}

/** Reads a file in parts. Fails if the file changed meanwhile, so that all parts belong to one version. */
async function* readParts(workspace: Workspace, path: string, stat: FsStat): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < stat.size; offset += PART) {
    const length = Math.min(PART, stat.size - offset)
    const part = await workspace.readBytes(path, { offset, length })
    if (part.version !== versionOf(stat) || part.bytes.length !== length) throw changed(path)
    yield part.bytes
  }
  // `part.version` was taken before the part was read, so check once more after the last part.
  if (versionOf(await workspace.lstat(path)) !== versionOf(stat)) throw changed(path)
}

function changed(path: string): FsError {
  return new FsError({ code: 'ESTALE', op: 'pack', path, detail: 'it changed while the archive was written: try again' })
}

function filterOf(exclude: string | readonly string[] = [], base: GlobBase): WalkFilter | undefined {
  const globs = [exclude].flat()
  for (const glob of globs) {
    if (!glob.startsWith('!')) continue
    throw new InputError('invalid_input', `Cannot exclude "${glob}": remove the "!", because this option already excludes`)
  }
  // Cast: the walk passes the filter only states that the filter itself returned.
  return globs.length === 0
    ? undefined
    : (compileGlob(
        globs.map((each) => `!${each}`),
        { kind: 'any', base },
      ) as WalkFilter)
}
