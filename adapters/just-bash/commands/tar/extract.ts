import { entryBytes } from '../../../../src/ops/archive/content.js'
import type { ArchiveEntry } from '../../../../src/ops/archive/entry.js'
import { leadsInside } from '../../../../src/ops/archive/names.js'
import { readTar } from '../../../../src/ops/archive/read-tar.js'
import { decompressed, isGzip } from '../gzip/members.js'
import { binaryOf } from '../shared/bytes.js'
import type { CommandContext } from '../shared/command.js'
import { errorWords, hasErrno } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { hostOf } from '../shared/pace.js'
import { checkPattern, fitsTop } from './options.js'
import { listLine, nameOf } from './verbose.js'
import { askedName, complain, GzipFault, line, type Work } from './work.js'

const FATAL = 2
const UMASK = 0o022
/** Signatures of compression formats that are not supported. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['bzip2', 'BZh'],
  ['xz', '\xfd7zXZ'],
  ['zstd', '\x28\xb5\x2f\xfd'],
]

export async function listArchive(work: Work, packed: Uint8Array): Promise<void> {
  const wanted = selection(work)
  for await (const entry of entriesOf(work, await plain(work, packed))) {
    if (wanted.takes(nameOf(entry))) work.told.out.put(line(work.verbose ? listLine(entry) : nameOf(entry)))
    await work.pace.turn(20)
  }
  wanted.complain()
}

/** Checks the whole archive before writing anything, so that a damaged or hostile archive leaves no files. */
export async function extractArchive(work: Work, packed: Uint8Array): Promise<void> {
  const { context, told, verbose, given } = work
  const bytes = await plain(work, packed)
  for await (const entry of entriesOf(work, bytes)) {
    checkLink(work, entry)
    await work.pace.turn(20)
  }
  const folder = await destination(work)
  const wanted = selection(work)
  const directories: [path: string, entry: ArchiveEntry][] = []
  /** Maps directories that could not be created to the reason. Their content is skipped, because it would be written through a symlink. */
  const missing = new Map<string, string>()
  for await (const entry of entriesOf(work, bytes)) {
    await work.pace.turn(200)
    const path = stripped(nameOf(entry), Number(given.value('strip-components') ?? 0))
    if (!wanted.takes(nameOf(entry)) || path === undefined) continue
    if (given.has('O')) {
      if (entry.kind === 'file') told.out.put(binaryOf(await entryBytes(entry)))
      continue
    }
    if (verbose) told.out.put(line(given.options.filter(({ id }) => id === 'v').length > 1 ? listLine(entry) : nameOf(entry)))
    const above = [...missing.keys()].find((folder) => path.startsWith(`${folder}/`))
    if (above !== undefined) {
      complain(work, `${path}: ${cannot(entry)}: ${missing.get(above)}`)
      continue
    }
    if (path === '') {
      directories.push([folder, entry])
      continue
    }
    try {
      await place(work, folder, path, entry)
      if (entry.kind === 'dir') directories.push([context.fs.resolvePath(folder, path), entry])
    } catch (error) {
      if (error instanceof Failure) throw error
      if (entry.kind === 'dir') missing.set(path, errorWords(error))
      complain(work, `${path}: ${cannot(entry)}: ${errorWords(error)}`)
    }
  }
  // Set attributes of directories last and innermost first, because a new entry changes the time of its directory.
  for (const [path, entry] of directories.reverse()) await attributes(work, path, entry)
  wanted.complain()
}

const CANNOT = { file: 'Cannot open', dir: 'Cannot mkdir', symlink: 'Cannot create symlink to' } as const

const cannot = ({ kind, target }: ArchiveEntry): string => (kind === 'symlink' ? `${CANNOT.symlink} '${target}'` : CANNOT[kind])

async function plain({ given, file, pace, context }: Work, bytes: Uint8Array): Promise<Uint8Array> {
  const most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  if (isGzip(bytes, 0)) {
    const unpacked = await decompressed(bytes, pace, most).catch((error: unknown) => {
      if (error instanceof Failure) throw new GzipFault(error.message)
      throw error
    })
    return unpacked.bytes
  }
  if (given.has('z') && bytes.length > 0) {
    throw new GzipFault('not in gzip format')
  }
  const head = binaryOf(bytes.subarray(0, 6))
  const other = OTHERS.find(([, mark]) => head.startsWith(mark))
  if (other) throw new Failure(`${file}: ${other[0]} compression is not supported in this shell: use gzip`, FATAL)
  return bytes
}

export async function* entriesOf({ context, file }: Work, bytes: Uint8Array): AsyncGenerator<ArchiveEntry> {
  const most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  try {
    yield* readTar(bytes, { asWritten: true, limits: { bytes: most, fileBytes: most } })
  } catch (error) {
    if (!(error instanceof Error) || (error.name !== 'InputError' && error.name !== 'FsError')) throw error
    if (/is not a tar archive/.test(error.message))
      throw new Failure('This does not look like a tar archive\ntar: Exiting with failure status due to previous errors', FATAL)
    throw new Failure(`${file}: ${error.message}\ntar: Error is not recoverable: exiting now`, FATAL)
  }
}

function checkLink({ file }: Work, { path, kind, target = '' }: ArchiveEntry): void {
  if (kind !== 'symlink' || leadsInside(path, target)) return
  throw new Failure(`${file}: the symlink ${path} -> ${target} points outside the archive: nothing was extracted`, FATAL)
}

interface Selection {
  takes(path: string): boolean
  /** Reports the requested names that the archive does not contain. */
  complain(): void
}

function selection(work: Work): Selection {
  const { given, excluded } = work
  const asked = given.operands.map((name) => ({ name, path: askedName(name), found: false }))
  if (given.has('wildcards')) for (const { path } of asked) checkPattern(path)
  const fits = (pattern: string, path: string): boolean =>
    path === pattern || path.startsWith(`${pattern}/`) || (given.has('wildcards') && fitsTop(pattern, path))
  return {
    takes: (name) => {
      const path = askedName(name)
      const hits = asked.filter((one) => fits(one.path, path))
      for (const hit of hits) hit.found = true
      return (asked.length === 0 || hits.length > 0) && !excluded(path)
    },
    complain: () => {
      for (const { name, found } of asked) if (!found) complain(work, `${name}: Not found in archive`)
    },
  }
}

async function destination({ context, given }: Work): Promise<string> {
  let folder = context.cwd
  for (const name of given.values('C')) {
    folder = context.fs.resolvePath(folder, name)
    const stat = await context.fs.stat(folder).catch(() => undefined)
    if (stat?.isDirectory) continue
    const words = stat ? 'Not a directory' : 'No such file or directory'
    throw new Failure(`${name}: Cannot open: ${words}\ntar: Error is not recoverable: exiting now`, FATAL)
  }
  return folder
}

/** Removes the first `count` components of a path, where `.` counts as one. Returns undefined if nothing is left. */
function stripped(name: string, count: number): string | undefined {
  const parts = name.split('/').filter((part) => part !== '')
  if (parts.length <= count) return undefined
  return parts
    .slice(count)
    .filter((part) => part !== '.')
    .join('/')
}

async function place({ context, given }: Work, folder: string, path: string, entry: ArchiveEntry): Promise<void> {
  const { fs } = context
  const at = fs.resolvePath(folder, path)
  const parent = at.replace(/\/[^/]+$/, '')
  if (parent !== '' && parent !== folder) await fs.mkdir(parent, { recursive: true })
  const there = await fs.lstat(at).catch((error: unknown) => {
    if (hasErrno(error, 'ENOENT')) return undefined
    throw error
  })
  if (entry.kind === 'dir') {
    const make = (): Promise<void> => fs.mkdir(at, { recursive: true })
    return there && !there.isDirectory ? setAside(context, at, make) : make()
  }
  if (there && given.has('skip-old-files')) return
  if (there && given.has('k')) throw Object.assign(new Error('File exists'), { code: 'EEXIST' })
  // Replace a symlink instead of writing through it.
  const replaces = there?.isSymbolicLink || (there?.isFile && entry.kind === 'symlink')
  if (entry.kind === 'symlink') {
    const target = entry.target ?? ''
    return replaces ? fs.replace(at, { target }) : fs.symlink(target, at)
  }
  const content = await entryBytes(entry)
  await (replaces ? fs.replace(at, { content }) : fs.writeFile(at, content))
  await attributes({ context, given }, at, entry)
}

/** Sets mode and time. Ignores errors, because some storages support neither. */
async function attributes({ context, given }: Pick<Work, 'context' | 'given'>, at: string, { mode, mtimeMs }: ArchiveEntry): Promise<void> {
  const { fs } = context
  if (mode !== undefined) await fs.chmod(at, given.has('p') ? mode : mode & ~UMASK).catch(() => undefined)
  if (mtimeMs !== undefined && !given.has('m')) await fs.utimes(at, new Date(mtimeMs), new Date(mtimeMs)).catch(() => undefined)
}

/** Renames an entry, so that `make` can create a directory in its place. Renames the entry back if this fails. */
async function setAside(context: CommandContext, path: string, make: () => Promise<void>): Promise<void> {
  const { fs } = context
  const aside = await freeName(context, path)
  await fs.mv(path, aside)
  try {
    await make()
    await fs.rm(aside, { recursive: true })
  } catch (error) {
    // Not recursive, because another writer may have added files to the directory.
    await fs.rm(path, { force: true }).catch(() => undefined)
    await fs.mv(aside, path).catch(() => undefined)
    throw error
  }
}

async function freeName(context: CommandContext, path: string): Promise<string> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  for (;;) {
    const name = `${folder}.new-${Math.floor(hostOf(context).random() * 2 ** 48).toString(36)}`
    // If `lstat` fails, the later write reports the error.
    const there = await context.fs.lstat(name).catch(() => undefined)
    if (!there) return name
  }
}
