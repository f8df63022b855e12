import type { ArchiveEntry } from '../../../../src/ops/archive/entry.js'
import { collectBytes } from '../../../../src/ops/archive/source.js'
import { BLOCK, isZero, parseHeader } from '../../../../src/ops/archive/tar-fields.js'
import { writeTar } from '../../../../src/ops/archive/write-tar.js'
import type { BashStat } from '../../../../src/workspace/facades/to-bash-fs.js'
import { compressed } from '../gzip/members.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { entriesOf } from './extract.js'
import { listLine, nameOf } from './verbose.js'
import { askedName, complain, line, type Work } from './work.js'

const FATAL = 2

export async function createArchive(work: Work): Promise<Uint8Array> {
  const { given, pace, file } = work
  const bytes = await written(entries(work))
  const zips = given.has('z') || (given.has('a') && /\.(?:gz|tgz|taz)$/.test(file))
  if (given.has('a') && /\.(?:bz2|xz|zst|lz|lzma|Z|tbz2?|txz)$/.test(file)) throw new Failure(`${file}: only gzip is available here`, FATAL)
  const whole = inRecords(bytes)
  return zips ? compressed(whole, pace) : whole
}

/** Pads with zeros to whole records of 20 blocks, as tar does. */
function inRecords(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(Math.ceil(bytes.length / RECORD) * RECORD)
  all.set(bytes)
  return all
}

const RECORD = 20 * BLOCK

function written(members: AsyncIterable<ArchiveEntry>): Promise<Uint8Array> {
  return collectBytes(writeTar(members, { mtimeMs: 'keep' })).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'InputError' ? new Failure(error.message, FATAL) : error
  })
}

/** Appends members to an archive. With `-u`, appends only members that are newer than those in the archive. */
export async function appendedArchive(work: Work, archive: Uint8Array): Promise<Uint8Array> {
  const times = new Map<string, number>()
  if (archive.length > 0) for await (const entry of entriesOf(work, archive)) times.set(askedName(nameOf(entry)), entry.mtimeMs ?? 0)
  const isNewer = (name: string, mtimeMs: number): boolean =>
    work.mode === 'r' || Math.floor(mtimeMs / 1000) > (times.get(name) ?? -1) / 1000
  const added = await written(entries(work, isNewer))
  const end = endOf(archive)
  const all = new Uint8Array(end + added.length)
  all.set(archive.subarray(0, end))
  all.set(added, end)
  return inRecords(all)
}

/** Returns the end of the last member, where the final zero blocks begin. */
function endOf(archive: Uint8Array): number {
  let at = 0
  while (at < archive.length && !isZero(archive.subarray(at, at + BLOCK))) {
    at += BLOCK + Math.ceil(parseHeader(archive.subarray(at, at + BLOCK), at).size / BLOCK) * BLOCK
  }
  return at
}

type Wanted = (name: string, mtimeMs: number) => boolean

interface Place {
  readonly wanted: Wanted
  readonly work: Work
  /** Directory to which names are relative. */
  readonly folder: string
  /** Maps the name of each member to its source path. */
  readonly seen: Map<string, string>
  readonly taken: { bytes: number }
}

async function* entries(work: Work, wanted: Wanted = () => true): AsyncGenerator<ArchiveEntry> {
  let folder = work.context.cwd
  const seen = new Map<string, string>()
  const taken = { bytes: 0 }
  for (const { id, value } of work.given.sequence) {
    if (id === 'C') folder = await directory(work, folder, value as string)
    if (id === undefined) yield* within({ work, folder, seen, taken, wanted }, value)
  }
}

async function directory({ context }: Work, folder: string, name: string): Promise<string> {
  const path = context.fs.resolvePath(folder, name)
  const stat = await context.fs.stat(path).catch(() => undefined)
  if (!stat?.isDirectory) {
    throw new Failure(
      `${name}: Cannot open: ${stat ? 'Not a directory' : 'No such file or directory'}\ntar: Error is not recoverable: exiting now`,
      FATAL,
    )
  }
  return path
}

async function* within(place: Place, name: string): AsyncGenerator<ArchiveEntry> {
  const { work, folder } = place
  const { fs } = work.context
  const path = fs.resolvePath(folder, name)
  if (work.excluded(askedName(name))) return
  const member = memberName(work, name)
  let stat: BashStat
  try {
    stat = await (work.given.has('h') ? fs.stat(path) : fs.lstat(path))
  } catch (error) {
    complain(work, `${name}: Cannot stat: ${errorWords(error)}`)
    return
  }
  if (path === pathOf(work.context, work.file) && work.file !== '-') {
    complain(work, `${name}: file is the archive; not dumped`)
    return
  }
  yield* entry(place, { name, member, path, stat })
  if (!stat.isDirectory || work.given.has('no-recursion')) return
  const names = (await fs.readdir(path)).sort()
  for (const below of names) yield* within(place, name === '/' ? `/${below}` : `${name.replace(/\/+$/, '')}/${below}`)
}

interface Found {
  /** Name as given on the command line. */
  readonly name: string
  /** Name in the archive. */
  readonly member: string
  readonly path: string
  readonly stat: BashStat
}

async function* entry({ work, seen, taken, wanted }: Place, { name, member, path: at, stat }: Found): AsyncGenerator<ArchiveEntry> {
  const { context, told, verbose, given, file } = work
  await work.pace.turn(200)
  const path = normalized(member)
  if ((path === '' && !stat.isDirectory) || !wanted(member, stat.mtime.getTime())) return
  const before = seen.get(member)
  if (before !== undefined) {
    // Skip the same file. Another file with this name is an error, because extraction would lose one of the two.
    if (before !== at && !stat.isDirectory) complain(work, `${name}: Cannot add: the archive has another file of this name, ${before}`)
    return
  }
  seen.set(member, at)
  const common = { path, name: member, mode: stat.mode & 0o777, mtimeMs: timeOf(given.value('mtime')) ?? stat.mtime.getTime() }
  let made: ArchiveEntry
  try {
    if (stat.isSymbolicLink) made = { ...common, kind: 'symlink', size: 0, target: await context.fs.readlink(at) }
    else if (stat.isDirectory) made = { ...common, kind: 'dir', size: 0 }
    else {
      const content = await context.fs.readFileBuffer(at)
      taken.bytes += content.length
      made = { ...common, kind: 'file', size: content.length, content }
    }
  } catch (error) {
    complain(work, `${name}: Cannot open: ${errorWords(error)}`)
    return
  }
  const most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  if (taken.bytes > most) throw new Failure(`the archive would be larger than the limit of ${most} bytes`, FATAL)
  // If the archive goes to standard output, names go to standard error.
  if (verbose) {
    const shown = line(given.options.filter(({ id }) => id === 'v').length > 1 ? listLine(made) : nameOf(made))
    if (file === '-') told.report.say(shown)
    else told.out.put(shown)
  }
  yield made
}

/** Removes a leading slash or `..`, which would lead out of the target directory. */
function memberName({ told }: Work, name: string): string {
  const parts = name.split('/')
  const up = parts.lastIndexOf('..')
  const lead = name.startsWith('/') ? '/' : up >= 0 ? `${parts.slice(0, up + 1).join('/')}/` : ''
  if (lead !== '' && !told.leads.has(lead)) told.report.say(`tar: Removing leading \`${lead}' from member names\n`)
  told.leads.add(lead)
  const kept = parts
    .slice(up + 1)
    .join('/')
    .replace(/^\/+/, '')
  return askedName(kept) || '.'
}

const normalized = (name: string): string =>
  name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = /^@\d+$/.test(text)
    ? Number(text.slice(1)) * 1000
    : Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`.replace(' ', 'T'))
  const plain = Number.isNaN(time) ? Date.parse(text) : time
  if (Number.isNaN(plain))
    throw new Failure(`Substituting --mtime: cannot read the date '${text}', write it as 2026-01-31 or @seconds`, FATAL)
  return plain
}
