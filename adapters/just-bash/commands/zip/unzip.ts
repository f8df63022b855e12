import { entryPath, leadsInside } from '../../../../src/ops/archive/names.js'
import { STORED } from '../../../../src/ops/archive/zip/format.js'
import type { Located } from '../../../../src/ops/archive/zip/local.js'
import { binaryOf, packed as inBytes, textOfBytes } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf, statOf, told } from '../shared/files.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { contentOf, fits, isFolder, isLink, listed, readArchive } from './archive.js'

const OPTIONS = 'l o n p q j t d= x= Z 1'
const USAGE = 10
const NO_ARCHIVE = 9
const NOT_MATCHED = 11
const BAD = 3
const WARNING = 1
const UMASK = 0o022

interface Run {
  readonly context: CommandContext
  readonly given: Given
  readonly pace: Pace
  readonly out: string[]
  readonly err: string[]
  readonly file: string
  readonly quiet: number
  /** Number of bytes that may still be extracted. */
  left: number
  status: number
}

export async function runUnzip(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('unzip', listed(args, ['-x']), OPTIONS, {
    status: USAGE,
    hint: 'In this shell, unzip supports -d -j -l -n -o -p -q -t -x and -Z1',
  })
  const [name, ...patterns] = given.operands
  if (name === undefined) throw new Failure('give an archive: unzip FILE.zip -d DIRECTORY', USAGE)
  if (given.has('Z') !== given.has('1')) throw new Failure('-Z is not supported in this shell, except -Z1: use -l', USAGE)
  const file = (await statOf(context, name))?.isFile ? name : `${name}.zip`
  const bytes = await context.fs.readFileBuffer(pathOf(context, file)).catch(() => undefined)
  if (!bytes) throw new Failure(` cannot find or open ${name}, ${name}.zip or ${name}.ZIP.`, NO_ARCHIVE)
  const left = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
  const quiet = given.options.filter(({ id }) => id === 'q').length
  const run: Run = { context, given, pace: new Pace(context), out: [], err: [], file, quiet, left, status: 0 }
  const all = archiveIn(bytes, file)
  const wanted = all.filter(({ record }) => (patterns.length === 0 || fits(patterns, record.name)) && !fits(given.values('x'), record.name))
  if (given.has('Z')) for (const { record } of wanted) run.out.push(inBytes(`${record.name}\n`))
  else if (given.has('l')) list(run, wanted)
  else if (given.has('p')) for (const each of wanted) run.out.push(isFolder(each.record) ? '' : binaryOf(await content(run, each)))
  else if (given.has('t')) await test(run, wanted)
  else await extract(run, wanted)
  for (const pattern of patterns) {
    if (all.some(({ record }) => fits([pattern], record.name))) continue
    run.err.push(`caution: filename not matched:  ${pattern}\n`)
    run.status = Math.max(run.status, NOT_MATCHED)
  }
  return { stdout: run.out.join(''), stderr: run.err.join(''), exitCode: run.status, stdoutKind: 'bytes' }
}

function archiveIn(bytes: Uint8Array, file: string): readonly Located[] {
  try {
    return readArchive(bytes)
  } catch (error) {
    if (error instanceof Failure && /not a zip archive/.test(error.message)) {
      throw new Failure(
        ` cannot find zipfile directory in one of ${file} or\n        ${file}.zip, and cannot find ${file}.ZIP, period.`,
        NO_ARCHIVE,
      )
    }
    throw error
  }
}

async function content(run: Run, located: Located): Promise<Uint8Array> {
  const bytes = await contentOf(located, run.pace, run.left)
  run.left -= bytes.length
  return bytes
}

function list({ out, file, quiet }: Run, members: readonly Located[]): void {
  if (quiet === 0) out.push(inBytes(`Archive:  ${file}\n`))
  if (quiet < 2) out.push('  Length      Date    Time    Name\n---------  ---------- -----   ----\n')
  let total = 0
  for (const { record } of members) {
    total += record.size
    const date = new Date(record.mtimeMs).toISOString()
    out.push(inBytes(`${String(record.size).padStart(9)}  ${date.slice(0, 10)} ${date.slice(11, 16)}   ${record.name}\n`))
  }
  if (quiet < 2) {
    const count = `${members.length} file${members.length === 1 ? '' : 's'}`
    out.push(`---------                     -------\n${String(total).padStart(9)}                     ${count}\n`)
  }
}

async function test(run: Run, members: readonly Located[]): Promise<void> {
  const { out, file, quiet } = run
  if (quiet === 0) out.push(inBytes(`Archive:  ${file}\n`))
  for (const each of members) {
    if (!isFolder(each.record)) await content(run, each)
    if (quiet === 0) out.push(inBytes(`    testing: ${each.record.name.padEnd(22)}   OK\n`))
  }
  if (quiet < 2) out.push(inBytes(`No errors detected in compressed data of ${file}.\n`))
}

/** Extracts members. Checks all names before writing anything. Creates symlinks last. */
async function extract(run: Run, members: readonly Located[]): Promise<void> {
  const { out, given, file, quiet } = run
  const names = new Map(members.map((each) => [each, safeName(each, given)]))
  if (quiet === 0) out.push(inBytes(`Archive:  ${file}\n`))
  const folder = given.value('d') ?? ''
  const links: { readonly name: string; readonly target: string }[] = []
  for (const each of members) {
    await run.pace.turn(200)
    const name = names.get(each) as string
    if (name === '' || (given.has('j') && isFolder(each.record))) continue
    const shown = folder === '' ? name : `${folder.replace(/\/+$/, '')}/${name}`
    if (isLink(each.record)) {
      const target = textOfBytes(await content(run, each))
      if (!leadsInside(name, target)) throw new Failure(`${shown}: the symlink to ${target} points outside the archive`, BAD)
      links.push({ name: shown, target })
      if (quiet === 0) out.push(inBytes(`    linking: ${shown.padEnd(22)}  -> ${target} \n`))
    } else await place(run, each, shown)
  }
  if (links.length > 0 && quiet === 0) out.push('finishing deferred symbolic links:\n')
  for (const { name, target } of links) {
    await link(run, name, target)
    if (quiet === 0) out.push(inBytes(`  ${name.padEnd(22)} -> ${target}\n`))
  }
}

function safeName({ record }: Located, given: Given): string {
  try {
    const path = entryPath(record.name, 4096)
    return given.has('j') ? path.replace(/^.*\//s, '') : path
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), BAD)
  }
}

async function place(run: Run, located: Located, shown: string): Promise<void> {
  const { context, out, quiet } = run
  const { fs } = context
  const { record } = located
  const path = pathOf(context, shown)
  const there = await statOf(context, shown, false)
  const say = (what: string): void => {
    if (quiet === 0) out.push(inBytes(what))
  }
  if (isFolder(record)) {
    if (there?.isDirectory) return
    await told(shown, () => fs.mkdir(path, { recursive: true }))
    return say(`   creating: ${shown}/\n`)
  }
  if (there && !mayReplace(run, shown)) return
  if (there?.isDirectory) return fault(run, `${shown}: Is a directory`)
  const bytes = await content(run, located)
  try {
    await fs.mkdir(path.replace(/\/[^/]+$/, '') || '/', { recursive: true })
    // Replace a symlink instead of writing through it.
    await (there?.isSymbolicLink ? fs.replace(path, { content: bytes }) : fs.writeFile(path, bytes))
  } catch (error) {
    return fault(run, `${shown}: ${errorWords(error)}`)
  }
  if (record.unixMode) await fs.chmod(path, record.unixMode & 0o777 & ~UMASK).catch(() => undefined)
  await fs.utimes(path, new Date(record.mtimeMs), new Date(record.mtimeMs)).catch(() => undefined)
  say(`${record.method === STORED ? ' extracting' : '  inflating'}: ${shown.padEnd(22)}  \n`)
}

function fault(run: Run, words: string): void {
  run.err.push(`error:  cannot create ${words}\n`)
  run.status = Math.max(run.status, WARNING)
}

/** Whether to overwrite an existing file: only with `-o`, because there is no terminal to answer a prompt. */
function mayReplace(run: Run, shown: string): boolean {
  const { given, err } = run
  if (given.last('o', 'n') === 'o') return true
  if (given.last('o', 'n') === undefined) {
    err.push(
      `replace ${shown}? [y]es, [n]o, [A]ll, [N]one, [r]ename:  NULL\n(EOF or read error, treating as "[N]one" ...: use -o to replace, -n to keep)\n`,
    )
    run.status = Math.max(run.status, WARNING)
  }
  return false
}

async function link(run: Run, shown: string, target: string): Promise<void> {
  const { context } = run
  const path = pathOf(context, shown)
  const there = await statOf(context, shown, false)
  if (there && !mayReplace(run, shown)) return
  try {
    await context.fs.mkdir(path.replace(/\/[^/]+$/, '') || '/', { recursive: true })
    await (there ? context.fs.replace(path, { target }) : context.fs.symlink(target, path))
  } catch (error) {
    fault(run, `${shown}: ${errorWords(error)}`)
  }
}
