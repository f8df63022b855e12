import type { Host } from '../../../../src/types/host.js'
import type { ProgramPort } from '../../process/program-port.js'
import { packed } from '../shared/bytes.js'
import type { CommandContext, OwnResult } from '../shared/command.js'
import { errorWords } from '../shared/errno.js'
import { Failure } from '../shared/failure.js'
import { pathOf } from '../shared/files.js'
import { hostOf } from '../shared/pace.js'
import { portOf } from '../shared/port.js'
import { Report } from '../shared/text-io.js'
import { quoted } from './messages.js'

/** The output of an action. */
export interface Sink {
  write(text: string): void
}

/** Maximum number of characters to buffer for standard output and for a file, and maximum milliseconds to buffer output. */
const CHUNK = 16 * 1024
const FILE_CHUNK = 256 * 1024
const HOLD_MS = 25

/** Collects the output of `find` for both streams and for files, in order. */
export class Output implements Sink {
  status = 0
  readonly #context: CommandContext
  readonly #port: ProgramPort | undefined
  readonly #files = new Map<string, FileSink>()
  readonly #most: number
  readonly #host: Pick<Host, 'now'>
  #flushedMs: number
  #stdout = ''
  #report = this.#newReport()

  constructor(context: CommandContext) {
    this.#context = context
    this.#host = hostOf(context)
    this.#flushedMs = this.#host.now()
    this.#most = context.limits.maxOutputSize ?? Number.POSITIVE_INFINITY
    this.#port = portOf(context)
  }

  /** Whether the buffer is full or old enough for `flush`. */
  get isDue(): boolean {
    const held = this.#stdout.length
    if (held >= CHUNK || ((held > 0 || this.#report.spoke) && this.#host.now() - this.#flushedMs >= HOLD_MS)) return true
    for (const file of this.#files.values()) if (file.held >= FILE_CHUNK) return true
    return false
  }

  write(text: string): void {
    this.writeBytes(packed(text))
  }

  /** @param bytes one character per byte */
  writeBytes(bytes: string): void {
    this.#stdout += bytes
    if (this.#stdout.length > this.#most) throw new Failure(`output is larger than the limit of ${this.#most} bytes`)
  }

  writeError(text: string): void {
    this.#report.say(text)
  }

  warn(message: string): void {
    this.#report.say(`find: warning: ${message}\n`)
  }

  /** Reports a failure that does not end the walk. */
  fail(message: string): void {
    this.#report.say(`find: ${message}\n`)
    this.status = 1
  }

  /** Returns the output for a file. Each path has only one. Nothing is written before `open`. */
  file(name: string): Sink {
    if (name === '/dev/stdout') return this
    if (name === '/dev/stderr') return { write: (text) => this.writeError(text) }
    const path = pathOf(this.#context, name)
    const found = this.#files.get(path) ?? new FileSink(this.#context, name, path, this.#most)
    this.#files.set(path, found)
    return found
  }

  /** @throws {Failure} if a file cannot be written */
  async open(): Promise<void> {
    for (const file of this.#files.values()) await file.open()
  }

  /** Writes buffered output. */
  async flush(): Promise<void> {
    for (const file of this.#files.values()) await file.flush()
    this.#flushedMs = this.#host.now()
    if (!this.#port || (this.#stdout === '' && !this.#report.spoke)) return
    const held = this.#report.result(this.#stdout)
    this.#stdout = ''
    this.#report = this.#newReport()
    await this.#port.print(held)
  }

  async result(): Promise<OwnResult> {
    for (const file of this.#files.values()) await file.flush()
    return this.#report.result(this.#stdout, this.status)
  }

  #newReport(): Report {
    const length = (): number => this.#stdout.length
    return new Report('find', {
      get length() {
        return length()
      },
    })
  }
}

class FileSink implements Sink {
  readonly #context: CommandContext
  readonly #name: string
  readonly #path: string
  #left: number
  #text = ''

  /** @param most maximum number of characters */
  constructor(context: CommandContext, name: string, path: string, most: number) {
    this.#left = most
    this.#context = context
    this.#name = name
    this.#path = path
  }

  get held(): number {
    return this.#text.length
  }

  write(text: string): void {
    this.#text += text
    this.#left -= text.length
    if (this.#left < 0) throw new Failure(`${quoted(this.#name)}: File too large`)
  }

  open(): Promise<void> {
    return this.#told(() => this.#context.fs.writeFile(this.#path, new Uint8Array()))
  }

  async flush(): Promise<void> {
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    await this.#told(() => this.#context.fs.appendFile(this.#path, packed(text), 'binary'))
  }

  async #told(body: () => Promise<void>): Promise<void> {
    try {
      await body()
    } catch (error) {
      throw new Failure(`${quoted(this.#name)}: ${errorWords(error)}`)
    }
  }
}
