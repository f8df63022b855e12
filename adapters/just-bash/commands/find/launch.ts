import type { CommandResult } from '../../library-types.js'
import { printedBytes } from '../../process/results.js'
import { Input } from '../../stdin/input.js'
import { INPUT } from '../../stdin/read.js'
import { packed } from '../shared/bytes.js'
import { type CommandContext, missingWords, passing, type SubshellOptions } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { portOf } from '../shared/port.js'
import { quotedWord } from '../shared/quoted-word.js'
import { isBuiltin } from '../shared/shell-words.js'
import type { Entry } from './entry.js'
import type { Test } from './expression.js'
import { folderOf } from './format.js'
import { invalidArgument, quoted } from './messages.js'
import type { Output } from './output.js'

/** Maximum bytes of a command line for `-exec ... +`, as in GNU findutils. */
const MAX_BYTES = 131_072
const MARK = '{}'

/** Bash builtins that also exist as programs. */
const PROGRAMS = new Set(['[', 'echo', 'false', 'kill', 'printf', 'pwd', 'test', 'true'])

/** Runs the commands of `-exec` and `-execdir`. Flushes all output before each command. */
export class Launcher {
  readonly #context: CommandContext
  readonly #output: Output
  readonly #batches: Batch[] = []
  /** Input that all commands share if standard input is a pipe. */
  #input: Input | undefined

  constructor(context: CommandContext, output: Output) {
    this.#context = context
    this.#output = output
  }

  /** Builds the test for a command that ends with `;` or `+`. @throws {Failure} for an invalid command */
  action(predicate: '-exec' | '-execdir', words: readonly string[], end: ';' | '+'): Test {
    const inFolder = predicate === '-execdir'
    if (inFolder) checkPath(this.#context.env.get('PATH') ?? '')
    if (end === ';') {
      return async (entry) => {
        const { name, cwd } = placeOf(entry, inFolder)
        // Like GNU, load the stat of these files before the command runs, so that later tests do not see what the command changes.
        if (entry.depth === 0 || (await entry.type()) === 'd') await entry.stat()
        return (
          (await this.#run(
            words.map((word) => word.replaceAll(MARK, name)),
            cwd,
          )) === 0
        )
      }
    }
    const marked = words.filter((word) => word.includes(MARK))
    if (marked.length > 1) throw new Failure(`Only one instance of {} is supported with ${predicate} ... +`)
    if (marked[0] !== MARK)
      throw new Failure(
        `In ${quoted(`${predicate} ... {} +`)} the ${quoted(MARK)} must appear by itself, but you specified ${quoted(marked[0] as string)}`,
      )
    const batch: Batch = { words: words.slice(0, -1), inFolder, names: [], bytes: 0, cwd: undefined }
    this.#batches.push(batch)
    return async (entry) => {
      const { name, cwd } = placeOf(entry, inFolder)
      const size = packed(name).length + 1
      const fixed = batch.words.reduce((sum, word) => sum + packed(word).length + 1, 0)
      if (batch.names.length > 0 && (fixed + batch.bytes + size > MAX_BYTES || batch.cwd !== cwd)) await this.#runBatch(batch)
      batch.names.push(name)
      batch.bytes += size
      batch.cwd = cwd
      return true
    }
  }

  /** Runs the collected commands of `-execdir` when the walk leaves a directory. */
  async leaveFolder(): Promise<void> {
    for (const batch of this.#batches) if (batch.inFolder) await this.#runBatch(batch)
  }

  /** Runs the remaining collected commands. */
  async finish(): Promise<void> {
    for (const batch of this.#batches) await this.#runBatch(batch)
  }

  async #runBatch(batch: Batch): Promise<void> {
    if (batch.names.length === 0) return
    const words = [...batch.words, ...batch.names]
    batch.names = []
    batch.bytes = 0
    if ((await this.#run(words, batch.cwd)) !== 0) this.#output.status = 1
  }

  async #run([name = '', ...args]: readonly string[], folder: string | undefined): Promise<number> {
    const context = this.#context
    await this.#output.flush()
    if (name === '' || (isBuiltin(name) && !PROGRAMS.has(name))) return this.#missing(name)
    const options = {
      cwd: folder === undefined ? context.cwd : pathOf(context, folder),
      env: { ...context.exportedEnv },
      stdinKind: 'bytes' as const,
      args,
      ...(context.signal && { signal: context.signal }),
    }
    const result = await passing(
      context,
      () => this.#exec(quotedWord(name), options),
      (failed) => inWordsOfFind(failed, name),
    )
    this.#output.writeBytes(printedBytes(result))
    this.#output.writeError(result.stderr)
    return result.exitCode
  }

  async #exec(name: string, options: Omit<SubshellOptions, 'stdin'>): Promise<CommandResult> {
    const { exec, stdin } = this.#context
    if (!exec) throw new Failure('this shell cannot run commands')
    // In this case the commands already share the input of the script.
    if (stdin === '' || stdin === INPUT) return exec(name, { ...options, stdin })
    const port = portOf(this.#context)
    const isFirst = this.#input === undefined
    this.#input ??= Input.ofBytes(stdin)
    // A build without hooks cannot share input, so the first command gets all of it.
    if (!port) return exec(name, { ...options, stdin: isFirst ? stdin : '' })
    return port.sharing(this.#input, () => exec(name, { ...options, stdin: INPUT }))
  }

  #missing(name: string): number {
    this.#output.writeError(missing(name))
    return 127
  }
}

const missing = (name: string): string => `find: ${quoted(name)}: No such file or directory\n`

function inWordsOfFind(result: CommandResult, name: string): CommandResult {
  const denied = /^bash: (.*): (No such file or directory|Permission denied|Is a directory)\n$/s.exec(result.stderr)
  if (denied?.[1] !== name) return missingWords(result, missing(name))
  return { ...result, stderr: `find: ${quoted(name)}: ${denied[2] === 'Is a directory' ? 'Permission denied' : denied[2]}\n` }
}

interface Batch {
  readonly words: readonly string[]
  readonly inFolder: boolean
  names: string[]
  bytes: number
  cwd: string | undefined
}

/** Returns the file name to pass to a command and the directory to run the command in. */
function placeOf(entry: Entry, inFolder: boolean): { readonly name: string; readonly cwd: string | undefined } {
  if (!inFolder) return { name: entry.name, cwd: undefined }
  return { name: entry.base === '/' ? '/' : `./${entry.shownBase}`, cwd: folderOf(entry.name) || '/' }
}

function checkPath(path: string): void {
  const parts = path.split(':')
  const advice = 'is included in the PATH environment variable, which is insecure in combination with the -execdir action of find.'
  if (path !== '' && parts.some((part) => part === '' || part === '.'))
    throw new Failure(
      `The current directory ${advice}  Please remove the current directory from your $PATH (that is, remove ".", doubled colons, or leading or trailing colons)`,
    )
  const relative = parts.find((part) => part !== '' && !part.startsWith('/'))
  if (relative !== undefined) throw new Failure(`The relative path ${quoted(relative)} ${advice}  Please remove that entry from $PATH`)
}

/** Splits `rest`, the words after the predicate, at the end of the command (`;` or `+`). @throws {Failure} if the end is missing */
export function commandWords(predicate: string, rest: readonly string[]): { readonly words: readonly string[]; readonly end: ';' | '+' } {
  for (const [at, word] of rest.entries()) {
    const isPlus = word === '+' && rest[at - 1]?.includes(MARK) === true
    if (word !== ';' && !isPlus) continue
    if (at === 0) throw invalidArgument(word, predicate)
    return { words: rest.slice(0, at), end: isPlus ? '+' : ';' }
  }
  throw new Failure(`missing argument to \`${predicate}'`)
}
