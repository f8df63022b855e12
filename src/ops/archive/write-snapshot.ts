import { FsError } from '../../errors/index.js'
import { encodeUtf8 } from '../utf8.js'
import { entryBytes } from './content.js'
import type { ArchiveContent, ArchiveEntries } from './entry.js'
import { packError } from './faults.js'
import { EntryGuard } from './guard.js'
import { byPath, checkPacked } from './names.js'
import { sha256 } from './sha256.js'
import { headOf, type Listed, manifestOf } from './snapshot-format.js'
import { inRuns } from './source.js'

/** Options of `writeSnapshot`. */
export interface WriteSnapshotOptions {
  /** Include permission bits. Default false, because storages without modes could not produce the same bytes. */
  readonly modes?: boolean
  readonly signal?: AbortSignal
}

const NO_LIMITS = {
  entries: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  fileBytes: Number.POSITIVE_INFINITY,
  ratio: Number.POSITIVE_INFINITY,
}
const DIRECTORY_MODE = 0o755

/** An entry of the manifest, with the source of its content. */
interface Source extends Listed {
  readonly content?: ArchiveContent
}

/**
 * Writes a snapshot: the manifest, sorted by path, then each distinct content once, in manifest order. The same tree produces the same
 * bytes on every storage. A snapshot has no times. `writeSnapshot` reads each content twice, first for the hash, so an iterable content
 * must be repeatable. It holds one content in memory.
 *
 * @throws {FsError} ESTALE if content changed meanwhile, or can be read only once
 *
 * @throws {InputError} for unsafe paths and targets, duplicate paths, and content that does not match its size
 */
export function writeSnapshot(entries: ArchiveEntries, options: WriteSnapshotOptions = {}): AsyncGenerator<Uint8Array> {
  return inRuns(parts(entries, options))
}

async function* parts(entries: ArchiveEntries, { modes = false, signal }: WriteSnapshotOptions): AsyncGenerator<Uint8Array> {
  const sources = withParents(await hashed(entries, modes, signal), modes).sort(byPath)
  const manifest = manifestOf(sources)
  yield encodeUtf8(headOf(manifest, await sha256(manifest)))
  yield manifest
  const written = new Set<string>()
  for (const source of sources) {
    signal?.throwIfAborted()
    const { kind, path, hash } = source
    if (kind !== 'file' || hash === undefined || written.has(hash)) continue
    written.add(hash)
    const bytes = await entryBytes(source).catch((error: unknown) => {
      throw FsError.is(error) ? error : changed(path)
    })
    if ((await sha256(bytes)) !== hash) throw changed(path)
    yield bytes
  }
}

async function hashed(entries: ArchiveEntries, modes: boolean, signal: AbortSignal | undefined): Promise<Source[]> {
  const guard = new EntryGuard(NO_LIMITS)
  const sources: Source[] = []
  for await (const entry of entries) {
    signal?.throwIfAborted()
    const { path, kind, mode, target, content } = entry
    checkPacked(entry, guard.limits.pathBytes)
    guard.admit(path, kind, entry.size)
    if (kind === 'symlink' && !target) throw packError('is a link without a target', path)
    const kept = modes && kind !== 'symlink' && mode !== undefined ? { mode: mode & 0o777 } : {}
    if (kind === 'dir') sources.push({ path, kind, size: 0, ...kept })
    else if (kind === 'symlink') sources.push({ path, kind, size: 0, target: target as string })
    else sources.push({ path, kind, size: entry.size, hash: await sha256(await entryBytes(entry)), ...kept, ...(content && { content }) })
  }
  return sources
}

/** Adds directories that no entry named. */
function withParents(sources: readonly Source[], modes: boolean): Source[] {
  const known = new Set(sources.map(({ path }) => path))
  const all = [...sources]
  for (const { path } of sources) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const parent = path.slice(0, end)
      if (known.has(parent)) break
      known.add(parent)
      all.push({ path: parent, kind: 'dir', size: 0, ...(modes && { mode: DIRECTORY_MODE }) })
    }
  }
  return all
}

function changed(path: string): FsError {
  return new FsError({ code: 'ESTALE', op: 'pack', path, detail: 'its content changed while the snapshot was made' })
}
