import { bytesOf } from '../shared/bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from '../shared/command.js'
import { errorWords, hasErrno } from '../shared/errno.js'
import { command, Failure } from '../shared/failure.js'
import { pathOf, told } from '../shared/files.js'
import { type Given, parseOptions } from '../shared/options.js'
import { Pace } from '../shared/pace.js'
import { LONG_LINE, loadLongest, mayNeedLongest } from '../shared/regex/regex.js'
import { bytesNamed, type Coding, codingOf, linesOf, Report, type Source } from '../shared/text-io.js'
import { SedInput, SedOutput } from './input.js'
import { parseSed } from './parse.js'
import { SedRun } from './run.js'

const OPTIONS =
  'n|quiet|silent e|expression= f|file= E|r|regexp-extended i|in-place=? s|separate z|null-data u|unbuffered l|line-length= b|binary posix sandbox follow-symlinks'

export const sedCommand: OwnCommand = command('sed', { usage: 'sed [OPTION]... {script-only-if-no-other-script} [input-file]...' }, run)

function widthOf(text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d+$/.test(text)) throw new Failure(`invalid line length: ${text}`)
  return text === undefined ? undefined : Number(text)
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('sed', args, OPTIONS)
  const { script, names } = await scriptOf(given, context)
  const report = new Report('sed')
  const inPlace = given.has('i')
  if (inPlace && names.length === 0) throw new Failure('no input files', PANIC)
  const sources = await readInputs(context, names, inPlace)
  const coding = codingOf([...sources.map(({ data }) => data)], context.env)
  const program = coding.argument(script)
  const pace = new Pace(context)
  if (mayNeedLongest(program) || sources.some(({ data }) => hasLongLine(data))) await loadLongest()
  const { commands, quiet } = await parseSed(program, { extended: given.has('E'), unicode: coding.unicode }, pace)
  const end = given.has('z') ? '\0' : '\n'
  const files = new Files(context, coding)
  const stdout = new SedOutput(context, end)
  const sed = new SedRun(
    { commands, quiet },
    {
      quiet: quiet || given.has('n'),
      listWidth: widthOf(given.value('l')),
      end,
      pace,
      encode: coding.encode,
      file: (name) => files.output(name),
      read: (name) => files.read(name),
      readLine: (name) => files.readLine(name),
    },
  )
  for (const { name, text, substitution } of commands) {
    const file = name === 'w' || name === 'W' ? text : substitution?.file
    if (file !== undefined && file !== '/dev/stdout') files.output(file)
  }
  const groups = inPlace || given.has('s') ? sources.map((source) => [source]) : [sources]
  for (const [i, group] of groups.entries()) {
    // A file that is named twice is edited twice, so read the result of the first edit.
    const [again] = group
    if (inPlace && again && sources.findIndex(({ name }) => name === again.name) < i)
      group[0] = { ...again, data: await bytesNamed(context, again.name) }
    const out = inPlace ? new SedOutput(context, end) : stdout
    const input = new SedInput(
      group.map(({ name, data, failure }) => ({ name, text: coding.decode(data), failure })),
      end,
      ({ message, status }) => report.fail(message, status),
    )
    await sed.run(input, out)
    if (inPlace && group[0] && !group[0].failure) {
      await replace(context, group[0], coding.encode(out.text()), given)
    }
    if (sed.exitCode !== undefined || report.status === PANIC) break
  }
  await files.save()
  report.say(files.stderr())
  return report.result(stdout.text(), report.status || sed.exitCode, coding.encode)
}

/** Exit status after an I/O error, at which GNU sed stops. */
const PANIC = 4

interface Input extends Source {
  readonly failure?: Failure
}

async function readInputs(context: CommandContext, names: readonly string[], inPlace: boolean): Promise<Input[]> {
  const inputs: Input[] = []
  for (const name of names.length === 0 ? ['-'] : names)
    try {
      inputs.push({ name, data: await bytesNamed(context, name) })
    } catch (error) {
      const words = errorWords(error)
      const failure = !hasErrno(error, 'EISDIR')
        ? new Failure(`can't read ${name}: ${words}`, 2)
        : new Failure(inPlace ? `couldn't edit ${name}: not a regular file` : `read error on ${name}: ${words}`, PANIC)
      inputs.push({ name, data: '', failure })
      if (failure.status === PANIC) break
    }
  return inputs
}

function hasLongLine(data: string): boolean {
  for (let at = 0; at < data.length; ) {
    const end = data.indexOf('\n', at)
    if ((end < 0 ? data.length : end) - at > LONG_LINE) return true
    if (end < 0) return false
    at = end + 1
  }
  return false
}

async function scriptOf(given: Given, context: CommandContext): Promise<{ script: string; names: readonly string[] }> {
  const parts: string[] = []
  for (const { id, value = '' } of given.options) {
    if (id === 'e') parts.push(value)
    if (id === 'f') parts.push((await told(`couldn't open file ${value}`, () => bytesNamed(context, value), PANIC)).replace(/\n$/, ''))
  }
  if (parts.length > 0) return { script: parts.join('\n'), names: given.operands }
  const [script, ...names] = given.operands
  if (script === undefined) throw new Failure('no script given\nUsage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...')
  return { script, names }
}

/** Writes the edited text to the file, after a backup if `-i` has a suffix. */
async function replace(context: CommandContext, { name, data }: Source, bytes: string, given: Given): Promise<void> {
  const suffix = given.value('i')
  let path = pathOf(context, name)
  if (suffix) {
    const slash = name.lastIndexOf('/') + 1
    const [folder, base] = [name.slice(0, slash), name.slice(slash)]
    const backup = suffix.includes('*') ? suffix.replaceAll('*', base) : base + suffix
    const target = backup.includes('/') ? backup : folder + backup
    await told(target, () => context.fs.writeFile(pathOf(context, target), bytesOf(data)))
  }
  const stat = await context.fs.lstat(path)
  if (stat.isSymbolicLink) {
    if (!given.has('follow-symlinks')) return told(name, () => replaceLink(context, path, bytesOf(bytes)), 4)
    path = await context.fs.realpath(path)
  }
  await told(name, () => context.fs.writeFile(path, bytesOf(bytes)), 4)
}

/** Replaces a symlink with a regular file that has the mode of its target. */
async function replaceLink({ fs }: CommandContext, path: string, content: Uint8Array): Promise<void> {
  const { mode } = await fs.stat(path)
  await fs.replace(path, { content })
  await fs.chmod(path, mode).catch(() => undefined)
}

/** The files that a program reads and writes, apart from its input files. */
class Files {
  readonly #context: CommandContext
  readonly #coding: Coding
  readonly #outputs = new Map<string, SedOutput>()
  readonly #lines = new Map<string, Iterator<string>>()

  constructor(context: CommandContext, coding: Coding) {
    this.#context = context
    this.#coding = coding
  }

  output(name: string): SedOutput {
    const output = this.#outputs.get(name) ?? new SedOutput(this.#context, '\n')
    this.#outputs.set(name, output)
    return output
  }

  async read(name: string): Promise<string | undefined> {
    try {
      return this.#coding.decode(await bytesNamed(this.#context, name === '/dev/stdin' ? '-' : name))
    } catch {
      return undefined
    }
  }

  async readLine(name: string): Promise<string | undefined> {
    const lines = this.#lines.get(name) ?? linesOf((await this.read(name)) ?? '').values()
    this.#lines.set(name, lines)
    return lines.next().value
  }

  async save(): Promise<void> {
    for (const [name, output] of this.#outputs) {
      if (name === '/dev/stderr') continue
      const bytes = bytesOf(this.#coding.encode(output.text()))
      try {
        await this.#context.fs.writeFile(pathOf(this.#context, name), bytes)
      } catch (error) {
        throw new Failure(`couldn't open file ${name}: ${errorWords(error)}`, 4)
      }
    }
  }

  stderr(): string {
    return this.#outputs.get('/dev/stderr')?.text() ?? ''
  }
}
