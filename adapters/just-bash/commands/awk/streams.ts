import type { CommandResult } from '../../library-types.js'
import { printedBytes } from '../../process/results.js'
import { Printout } from '../shared/bulk.js'
import { bytesOf, textOf } from '../shared/bytes.js'
import { type CommandContext, type OwnResult, passing } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { portOf } from '../shared/port.js'
import { bytesNamed, type Coding, Report } from '../shared/text-io.js'

/** Reads records from a text. */
export class Reader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Returns the text up to the next separator and moves past this separator. Returns undefined at the end. */
  record(separator: string, regex: RegExpLike | undefined): string | undefined {
    if (separator === '') return this.#paragraph()
    if (this.at >= this.text.length) return undefined
    const { at, text } = this
    if (regex) {
      const found = regex(text, at)
      this.at = found ? found.end : text.length
      return text.slice(at, found?.index)
    }
    const end = text.indexOf(separator, at)
    this.at = end < 0 ? text.length : end + 1
    return text.slice(at, end < 0 ? text.length : end)
  }

  #paragraph(): string | undefined {
    while (this.text[this.at] === '\n') this.at++
    if (this.at >= this.text.length) return undefined
    const { at, text } = this
    const end = text.indexOf('\n\n', at)
    this.at = end < 0 ? text.length : end + 2
    return text.slice(at, end < 0 ? text.length : end).replace(/\n$/, '')
  }
}

type RegExpLike = (text: string, from: number) => { readonly index: number; readonly end: number } | undefined

/**
 * Size of the output buffer of GNU's C library. It determines where errors and the output of commands appear within the program's output.
 */
const BLOCK_BYTES = 4096

/** The files, pipes and commands that a program reads and writes, apart from its main input. */
export class Streams {
  out: Printout
  readonly #context: CommandContext
  readonly #coding: Coding
  readonly #files = new Map<string, { parts?: Printout | undefined; append: boolean }>()
  readonly #pipes = new Map<string, Printout>()
  readonly #readers = new Map<string, Reader>()

  #report: Report
  /** Number of output characters that were flushed explicitly. */
  #shown = 0

  constructor(context: CommandContext, coding: Coding) {
    this.out = new Printout(context)
    this.#report = this.#reportOn(this.out)
    this.#context = context
    this.#coding = coding
  }

  write(how: '>' | '>>' | '|', name: string, text: string): void {
    if (how === '|') {
      let parts = this.#pipes.get(name)
      if (!parts) {
        this.release()
        parts = new Printout(this.#context)
        this.#pipes.set(name, parts)
      }
      parts.put(text)
    } else if (name === '/dev/stdout' || name === '-') this.out.put(text)
    else if (name === '/dev/stderr') this.say(textOf(this.#coding.encode(text)))
    else {
      const file = this.#files.get(name) ?? { append: how === '>>' }
      this.#files.set(name, file)
      file.parts ??= new Printout(this.#context)
      file.parts.put(text)
    }
  }

  /** @throws {Failure} if the file does not exist or cannot be opened */
  async isDirectory(name: string): Promise<boolean> {
    try {
      return (await this.#context.fs.stat(pathOf(this.#context, name))).isDirectory
    } catch (error) {
      throw new Failure(`fatal: cannot open file \`${name}' for reading: ${errorWords(error)}`, 2)
    }
  }

  /** Returns undefined if the file cannot be read. */
  async readerOfFile(name: string): Promise<Reader | undefined> {
    const kept = this.#readers.get(name)
    if (kept) return kept
    await this.#save(name)
    try {
      const reader = new Reader(this.#coding.decode(await bytesNamed(this.#context, name === '/dev/stdin' ? '-' : name)))
      this.#readers.set(name, reader)
      return reader
    } catch {
      return undefined
    }
  }

  async readerOfCommand(command: string): Promise<Reader> {
    const key = `|${command}`
    const kept = this.#readers.get(key)
    if (kept) return kept
    await this.#flush()
    const { stdout } = await this.#run(command, '')
    const reader = new Reader(stdout)
    this.#readers.set(key, reader)
    return reader
  }

  /** Runs `system(command)` after flushing the earlier output. Resolves to the exit status. */
  async system(command: string): Promise<number> {
    return this.#pass(command, undefined)
  }

  /** Closes a file, pipe or command. Resolves to -1 if none has this name. */
  async close(name: string): Promise<number> {
    const pipe = this.#pipes.get(name)
    const read = this.#readers.delete(name) || this.#readers.delete(`|${name}`)
    const isFile = this.#files.has(name)
    if (isFile) {
      await this.#save(name)
      this.#files.delete(name)
    }
    if (!pipe) return read || isFile ? 0 : -1
    this.#pipes.delete(name)
    return this.#pass(name, pipe.text())
  }

  /** Marks all earlier output as flushed. */
  release(): void {
    this.#shown = this.out.length
  }

  async finish(): Promise<void> {
    await this.saveAll()
    if (this.#pipes.size === 0) return
    // Like gawk, closes the pipes before it writes buffered output, starting with the last one.
    const printed = this.out.text()
    const end = this.#written(this.out)
    this.out = new Printout(this.#context)
    this.out.put(printed.slice(0, end))
    try {
      for (const name of [...this.#pipes.keys()].reverse()) await this.close(name)
    } finally {
      this.release()
      this.out.put(printed.slice(end))
    }
  }

  say(text: string): void {
    this.#report.say(text)
  }

  /** Prints a message of awk itself. It follows all earlier output. */
  complain(message: string): void {
    this.release()
    this.say(`awk: ${message}\n`)
  }

  result(exitCode: number): OwnResult {
    return this.#report.result(this.out.text(), exitCode, this.#coding.encode)
  }

  #reportOn(out: Printout): Report {
    this.#shown = 0
    const length = (): number => this.#written(out)
    return new Report('awk', {
      get length() {
        return length()
      },
    })
  }

  #written({ length }: Printout): number {
    return length - ((length - this.#shown) % BLOCK_BYTES)
  }

  /** Writes the files and the output so far, so that the next command sees them. */
  async #flush(): Promise<void> {
    await this.saveAll()
    const port = portOf(this.#context)
    if (!port) return
    await port.print(this.result(0))
    this.out = new Printout(this.#context)
    this.#report = this.#reportOn(this.out)
  }

  /** Runs a command whose output goes to the program's output. Resolves to its exit status. */
  async #pass(command: string, stdin: string | undefined): Promise<number> {
    await this.#flush()
    const { stdout, exitCode } = await passing(this.#context, () => this.#run(command, stdin))
    this.out.put(stdout)
    return exitCode
  }

  async saveAll(): Promise<void> {
    for (const name of this.#files.keys()) await this.#save(name)
  }

  async #save(name: string): Promise<void> {
    const file = this.#files.get(name)
    if (!file?.parts) return
    const bytes = bytesOf(this.#coding.encode(file.parts.text()))
    file.parts = undefined
    const path = pathOf(this.#context, name)
    try {
      if (file.append) await this.#context.fs.appendFile(path, bytes)
      else await this.#context.fs.writeFile(path, bytes)
    } catch (error) {
      throw new Failure(`cannot open "${name}" for output: ${errorWords(error)}`, 2)
    }
    // Later output to the same open file is appended.
    file.append = true
  }

  async #run(command: string, stdin: string | undefined): Promise<CommandResult> {
    const { exec, cwd, exportedEnv, signal } = this.#context
    const input = stdin === undefined ? undefined : this.#coding.encode(stdin)
    const result = await exec?.(command, {
      cwd,
      env: { ...exportedEnv },
      ...(input !== undefined && { stdin: input, stdinKind: 'bytes' as const }),
      ...(signal && { signal }),
    })
    if (!result) throw new Failure('this shell cannot run commands', 2)
    this.say(result.stderr)
    return { ...result, stdout: this.#coding.decode(printedBytes(result)) }
  }
}
