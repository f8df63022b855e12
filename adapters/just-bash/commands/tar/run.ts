import { isGzip } from '../gzip/members.js'
import { Printout } from '../shared/bulk.js'
import { bytesOf, textOfBytes } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf, statOf } from '../shared/files.js'
import { Given } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { pacedBinary, Report } from '../shared/text-io.js'
import { appendedArchive, createArchive } from './create.js'
import { extractArchive, listArchive } from './extract.js'
import { exclusion, HINT, readOptions, type TarRun } from './options.js'
import { GzipFault, type Told, type Work } from './work.js'

const FATAL = 2

export async function runTar(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const run = await withLists(readOptions(args), context)
  const out = new Printout(context)
  const report = new Report('tar', out)
  const told: Told = { out, report, failed: false, leads: new Set() }
  const work: Work = { ...run, context, pace: new Pace(context), told }
  try {
    if (run.mode === 'c') await create(work)
    else if (run.mode === 'r' || run.mode === 'u') await append(work)
    else if (run.mode === 't') await listArchive(work, await archiveBytes(work))
    else await extractArchive(work, await archiveBytes(work))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    report.say(`${error instanceof GzipFault ? '' : 'tar: '}${error.message}\n`)
    return report.result(out.text(), error.status)
  }
  if (told.failed) report.fail('Exiting with failure status due to previous errors')
  return report.result(out.text(), told.failed ? FATAL : 0)
}

/** Adds the names from the file of `-T` and the patterns from the file of `-X`. */
async function withLists(run: TarRun, context: CommandContext): Promise<TarRun> {
  const { given } = run
  if (!given.has('T') && !given.has('X')) return run
  const sequence: Given['sequence'][number][] = []
  for (const one of given.sequence) {
    if (one.id === 'T') for (const value of await linesOf(context, one.value as string)) sequence.push({ value })
    else if (one.id === 'X') for (const value of await linesOf(context, one.value as string)) sequence.push({ id: 'exclude', value })
    if (one.id !== 'X') sequence.push(one)
  }
  const all = new Given(sequence)
  return { ...run, given: all, excluded: exclusion(all.values('exclude')) }
}

async function linesOf(context: CommandContext, name: string): Promise<string[]> {
  const bytes = name === '-' ? bytesOf(context.stdin) : await read(context, name)
  return textOfBytes(bytes)
    .split('\n')
    .filter((line) => line !== '')
}

async function create(work: Work): Promise<void> {
  const { context, file, given, told } = work
  if (given.operands.length === 0 && !given.has('T')) throw new Failure(`Cowardly refusing to create an empty archive\n${HINT}`, FATAL)
  const bytes = await createArchive(work)
  if (file === '-') {
    told.out.put(await pacedBinary(context, bytes))
    return
  }
  await write(work, bytes)
}

async function append(work: Work): Promise<void> {
  const { context, file, given } = work
  if (file === '-') throw new Failure(`Options '-Aru' are incompatible with '-f -'\n${HINT}`, FATAL)
  if (given.has('z')) throw new Failure(`Cannot update compressed archives\n${HINT}`, FATAL)
  const archive = (await statOf(context, file)) ? await read(context, file) : new Uint8Array(0)
  if (isGzip(archive, 0)) throw new Failure('Cannot update compressed archives\ntar: Error is not recoverable: exiting now', FATAL)
  await write(work, await appendedArchive(work, archive))
}

async function write({ context, file }: Work, bytes: Uint8Array): Promise<void> {
  try {
    await context.fs.writeFile(pathOf(context, file), bytes)
  } catch (error) {
    throw new Failure(`${file}: Cannot open: ${errorWords(error)}\ntar: Error is not recoverable: exiting now`, FATAL)
  }
}

async function archiveBytes({ context, file }: Work): Promise<Uint8Array> {
  return file === '-' ? bytesOf(context.stdin) : read(context, file)
}

async function read(context: CommandContext, name: string): Promise<Uint8Array> {
  try {
    if ((await statOf(context, name))?.isDirectory) throw new Failure(`${name}: Cannot read: Is a directory`, FATAL)
    return await context.fs.readFileBuffer(pathOf(context, name))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${name}: Cannot open: ${errorWords(error)}\ntar: Error is not recoverable: exiting now`, FATAL)
  }
}
