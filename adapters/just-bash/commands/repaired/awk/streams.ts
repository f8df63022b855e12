import { printedBytes } from '../../../process/results.js'
import { Printout } from '../../bulk.js'
import { bytesOf, textOf } from '../../bytes.js'
import type { CommandContext, OwnResult } from '../../command.js'
import { errorWords } from '../../errno.js'
import { Failure } from '../../failure.js'
import { pathOf } from '../../files.js'
import { bytesNamed, type Coding } from '../text-io.js'

/** A text that is read in pieces. */
export class Reader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Up to the separator, which is taken too; undefined at the end. */
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

/** Where a program writes and reads beside its own input and output. */
export class Streams {
  readonly out: Printout
  stderr = ''
  readonly #context: CommandContext
  readonly #coding: Coding
  readonly #files = new Map<string, { parts?: Printout | undefined; append: boolean }>()
  readonly #pipes = new Map<string, Printout>()
  readonly #readers = new Map<string, Reader>()

  constructor(context: CommandContext, coding: Coding) {
    this.out = new Printout(context)
    this.#context = context
    this.#coding = coding
  }

  write(how: '>' | '>>' | '|', name: string, text: string): void {
    if (how === '|') {
      const parts = this.#pipes.get(name) ?? new Printout(this.#context)
      this.#pipes.set(name, parts)
      parts.put(text)
    } else if (name === '/dev/stdout' || name === '-') this.out.put(text)
    else if (name === '/dev/stderr') this.stderr += textOf(this.#coding.encode(text))
    else {
      const file = this.#files.get(name) ?? { append: how === '>>' }
      this.#files.set(name, file)
      file.parts ??= new Printout(this.#context)
      file.parts.put(text)
    }
  }

  /** Undefined for a file that cannot be read. */
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
    await this.saveAll()
    const { stdout } = await this.#run(command, '')
    const reader = new Reader(stdout)
    this.#readers.set(key, reader)
    return reader
  }

  /** Its output comes behind what was printed before. Resolves to its status. */
  async system(command: string): Promise<number> {
    await this.saveAll()
    const { stdout, exitCode } = await this.#run(command, undefined)
    this.out.put(stdout)
    return exitCode
  }

  /** -1: there was none of this name. */
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
    await this.saveAll()
    const { stdout, exitCode } = await this.#run(name, pipe.text())
    this.out.put(stdout)
    return exitCode
  }

  async finish(): Promise<void> {
    await this.saveAll()
    for (const name of [...this.#pipes.keys()]) await this.close(name)
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
    // What follows belongs behind it.
    file.append = true
  }

  async #run(command: string, stdin: string | undefined): Promise<{ readonly stdout: string; readonly exitCode: number }> {
    const { exec, cwd, exportedEnv, signal } = this.#context
    const input = stdin === undefined ? undefined : this.#coding.encode(stdin)
    const result: OwnResult | undefined = await exec?.(command, {
      cwd,
      env: { ...exportedEnv },
      ...(input !== undefined && { stdin: input, stdinKind: 'bytes' as const }),
      ...(signal && { signal }),
    })
    if (!result) throw new Failure('no command can be run here', 2)
    this.stderr += result.stderr
    return { stdout: this.#coding.decode(printedBytes(result)), exitCode: result.exitCode }
  }
}
