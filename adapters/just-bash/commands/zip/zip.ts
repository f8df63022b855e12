import { collectBytes } from '../../../../src/ops/archive/source.js'
import { crc32 } from '../../../../src/ops/archive/zip/crc32.js'
import { DEFLATED, S_IFDIR, S_IFLNK, S_IFREG, STORED } from '../../../../src/ops/archive/zip/format.js'
import { centralRecord, endRecord, localHeader, type Packed } from '../../../../src/ops/archive/zip/records.js'
import { encodeUtf8 } from '../../../../src/ops/utf8.js'
import { compressed } from '../gzip/members.js'
import { binaryOf, bytesOf, packed as inBytes, textOf } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { pathOf, statOf, told } from '../shared/files.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { contentOf, fits, listed, packedOf, readArchive } from './archive.js'

const OPTIONS =
  'r|recurse-paths q|quiet j|junk-paths y|symlinks x|exclude= i|include= d|delete D|no-dir-entries X|no-extra T|test v|verbose @|names-stdin 0 1 2 3 4 5 6 7 8 9'
const USAGE = 16
const NOTHING = 12
const GZIP_HEADER = 10
const GZIP_TRAILER = 8
const MOST = 65_534

interface Run {
  readonly context: CommandContext
  readonly given: Given
  readonly pace: Pace
  readonly said: string[]
  /** Members by name, in archive order. */
  readonly entries: Map<string, Packed>
  readonly before: ReadonlySet<string>
  bytes: number
}

export async function runZip(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('zip', listed(args, ['-x', '-i']), OPTIONS, {
    status: USAGE,
    hint: 'In this shell, zip supports -@ -d -D -i -j -q -r -T -x -X -y and -0 to -9',
  })
  const [target, ...files] = given.operands
  const names = given.has('@') ? files.concat(textOf(context.stdin).split('\n')).filter((name) => name !== '') : files
  if (target === undefined || (names.length === 0 && !given.has('T')))
    throw new Failure('give an archive and files: zip -r FILE.zip DIRECTORY', USAGE)
  const file = target === '-' || /\.[^/]*$/.test(target) ? target : `${target}.zip`
  const pace = new Pace(context)
  const old =
    file !== '-' && (await statOf(context, file))
      ? readArchive(await told(file, () => context.fs.readFileBuffer(pathOf(context, file))))
      : []
  const entries = new Map(old.map((located) => [located.record.name, packedOf(located)]))
  const run: Run = { context, given, pace, said: [], entries, before: new Set(entries.keys()), bytes: 0 }
  if (names.length > 0) {
    const done = given.has('d') ? remove(run, names) : await addAll(run, names, file)
    if (!done) return result(run, `\nzip error: Nothing to do! (${file})\n`, NOTHING)
  }
  const bytes = await collectBytes(parts(entries.values()))
  if (file === '-') return { stdout: binaryOf(bytes), stderr: given.has('q') ? '' : run.said.join(''), exitCode: 0, stdoutKind: 'bytes' }
  if (names.length > 0) await told(file, () => context.fs.writeFile(pathOf(context, file), bytes))
  if (entries.size === 0) run.said.push('\tzip warning: zip file empty\n')
  if (given.has('T')) {
    for (const located of readArchive(bytes)) await contentOf(located, pace, context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY)
    run.said.push(`test of ${file} OK\n`)
  }
  return result(run, '', 0)
}

function result({ said, given }: Run, last: string, exitCode: number): OwnResult {
  const lines = given.has('q') ? said.filter((line) => line.startsWith('\t')) : said
  return { stdout: inBytes(lines.join('') + last), stderr: '', exitCode, stdoutKind: 'bytes' }
}

function remove({ entries, said }: Run, patterns: readonly string[]): boolean {
  const gone = [...entries.keys()].filter((name) => fits(patterns, name))
  for (const pattern of patterns)
    if (!gone.some((name) => fits([pattern], name))) said.push(`\tzip warning: name not matched: ${pattern}\n`)
  for (const name of gone) {
    entries.delete(name)
    said.push(`deleting: ${name}\n`)
  }
  return gone.length > 0
}

async function addAll(run: Run, names: readonly string[], file: string): Promise<boolean> {
  const { context, said } = run
  const warnings: string[] = []
  let done = false
  for (const name of names) {
    if (name === '-' || (await statOf(context, name, false))) done = (await add(run, name, file)) || done
    else warnings.push(`\tzip warning: name not matched: ${name}\n`)
  }
  said.unshift(...warnings)
  return done
}

async function add(run: Run, name: string, file: string): Promise<boolean> {
  const { context, given } = run
  await run.pace.turn(200)
  if (name === '-') return put(run, '-', bytesOf(context.stdin), { mode: S_IFREG | 0o644, mtimeMs: undefined })
  const path = pathOf(context, name)
  if (path === pathOf(context, file)) return false
  const stat = await told(name, () => (given.has('y') ? context.fs.lstat(path) : context.fs.stat(path)))
  const member = name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  if (member.split('/').includes('..'))
    throw new Failure(`${name}: names with ".." are not supported in archives: change to the directory, or use -j`, USAGE)
  const mtimeMs = stat.mtime.getTime()
  if (!stat.isDirectory) {
    const shown = given.has('j') ? member.replace(/^.*\//s, '') : member
    if (stat.isSymbolicLink) return put(run, shown, encodeUtf8(await context.fs.readlink(path)), { mode: S_IFLNK | 0o777, mtimeMs })
    return put(run, shown, await told(name, () => context.fs.readFileBuffer(path)), { mode: S_IFREG | stat.mode, mtimeMs })
  }
  let done = false
  if (member !== '' && !given.has('D') && !given.has('j'))
    done = await put(run, `${member}/`, new Uint8Array(0), { mode: S_IFDIR | stat.mode, mtimeMs })
  if (!given.has('r')) return done
  for (const below of (await context.fs.readdir(path)).sort()) done = (await add(run, `${name.replace(/\/+$/, '')}/${below}`, file)) || done
  return done
}

interface Meta {
  readonly mode: number
  readonly mtimeMs: number | undefined
}

async function put(run: Run, name: string, content: Uint8Array, { mode, mtimeMs }: Meta): Promise<boolean> {
  const { given, entries, before, said, context, pace } = run
  if (fits(given.values('x'), name) || (given.has('i') && !fits(given.values('i'), name))) return false
  run.bytes += content.length
  const most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  if (run.bytes > most) throw new Failure(`the archive would be larger than the limit of ${most} bytes`)
  if (entries.size >= MOST) throw new Failure(`an archive holds ${MOST} files at the most`)
  const wants = !given.has('0') && content.length > 0 && (mode & 0o170000) === S_IFREG
  const deflated = wants ? (await compressed(content, pace)).subarray(GZIP_HEADER, -GZIP_TRAILER) : content
  const smaller = deflated.length < content.length
  const data = smaller ? deflated : content
  const attributes = (mode * 0x10000 + (name.endsWith('/') ? 0x10 : 0)) >>> 0
  entries.set(name, {
    name: encodeUtf8(name),
    method: smaller ? DEFLATED : STORED,
    crc: crc32(content),
    data,
    size: content.length,
    attributes,
    offset: 0,
    mtimeMs,
  })
  const saved = smaller ? Math.floor((1 + (200 * (content.length - data.length)) / content.length) / 2) : 0
  said.push(`${before.has(name) ? 'updating' : '  adding'}: ${name} (${smaller ? 'deflated' : 'stored'} ${saved}%)\n`)
  return true
}

function* parts(entries: Iterable<Packed>): Generator<Uint8Array> {
  const records: Uint8Array[] = []
  let [offset, size] = [0, 0]
  for (const entry of entries) {
    const placed = { ...entry, offset }
    const [header, record] = [localHeader(placed), centralRecord(placed)]
    yield header
    yield placed.data
    records.push(record)
    offset += header.length + placed.data.length
    size += record.length
  }
  yield* records
  yield endRecord(records.length, size, offset)
}
