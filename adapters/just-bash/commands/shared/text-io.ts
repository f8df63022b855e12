import type { Piece } from '../../library-types.js'
import { binaryOf, bytesOf, packed, textOf } from './bytes.js'
import { type CommandContext, inOrder, type OwnResult } from './command.js'
import { errorWords } from './errno.js'
import { pathOf } from './files.js'
import { Pace } from './pace.js'

/** Collects the messages of a command and their positions in its output. */
export class Report {
  status = 0
  readonly #name: string
  readonly #printed: { readonly length: number }
  readonly #silent: boolean
  readonly #messages: { readonly after: number; readonly text: string }[] = []

  /**
   * @param printed the output so far; its length is the position of the next message. Default: no output
   * @param silent whether to keep only the status and drop the messages
   */
  constructor(name: string, printed: { readonly length: number } = '', silent = false) {
    this.#name = name
    this.#printed = printed
    this.#silent = silent
  }

  /** Whether any message was reported. */
  get spoke(): boolean {
    return this.#messages.length > 0
  }

  /** Reports a failure after which the command continues. The highest status wins. */
  fail(message: string, status = 1): void {
    this.say(`${this.#name}: ${message}\n`)
    this.status = Math.max(this.status, status)
  }

  /** Writes a text to standard error. */
  say(text: string): void {
    if (text !== '' && !this.#silent) this.#messages.push({ after: this.#printed.length, text })
  }

  /** @param encode converts `printed` to one character per byte. By default, `printed` already has this form */
  result(printed: string, status: number = this.status, encode: (text: string) => string = (bytes) => bytes): OwnResult {
    let at = 0
    const pieces = this.#messages.map(({ after, text }): Piece => {
      const stdout = encode(printed.slice(at, after))
      at = Math.max(at, after)
      return { stdout, stderr: text }
    })
    return inOrder([...pieces, { stdout: encode(printed.slice(at)), stderr: '' }], status)
  }
}

const PIECE = 64 * 1024

/** Reads a file, or standard input for `-`, with one character per byte. */
export async function bytesNamed(context: CommandContext, name: string): Promise<string> {
  if (name === '-') return NOT_BYTES.test(context.stdin) ? packed(context.stdin) : context.stdin
  return pacedBinary(context, await context.fs.readFileBuffer(pathOf(context, name)))
}

/** Like `binaryOf`, but yields to the event loop. */
export async function pacedBinary(context: CommandContext, bytes: Uint8Array): Promise<string> {
  if (bytes.length <= PIECE) return binaryOf(bytes)
  const pace = new Pace(context)
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(binaryOf(bytes.subarray(at, at + PIECE)))
    await pace.turn(PIECE >> 8)
  }
  return pieces.join('')
}

export interface Source {
  readonly name: string
  /** Content with one character per byte. */
  readonly data: string
}

interface ReadSettings {
  readonly status?: number
  readonly tell?: (name: string, words: string) => string
}

const plainly = (name: string, words: string): string => `${name}: ${words}`

/** Yields the readable files one by one, or standard input if there are no names. Reports files that cannot be read. */
export async function* eachSource(
  context: CommandContext,
  names: readonly string[],
  report: Report,
  { status = 1, tell = plainly }: ReadSettings = {},
): AsyncGenerator<Source> {
  for (const name of names.length === 0 ? ['-'] : names) {
    let data: string
    try {
      data = await bytesNamed(context, name)
    } catch (error) {
      report.fail(tell(name, errorWords(error)), status)
      continue
    }
    yield { name, data }
  }
}

/** Reads all sources at once, for commands that print only at the end. */
export async function readSources(...given: Parameters<typeof eachSource>): Promise<Source[]> {
  const sources: Source[] = []
  for await (const source of eachSource(...given)) sources.push(source)
  return sources
}

const NOT_BYTES = /[^\0-\xff]/
const NOT_ASCII = /[^\0-\x7f]/
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes bytes as UTF-8. Returns undefined for invalid UTF-8. */
export function decoded(bytes: string): string | undefined {
  if (!NOT_ASCII.test(bytes)) return bytes
  try {
    return strict.decode(bytesOf(bytes))
  } catch {
    return undefined
  }
}

/** How a command treats its data: as text, or as unchanged bytes if the locale is C or the data is not valid UTF-8. */
export interface Coding {
  readonly unicode: boolean
  decode(bytes: string): string
  encode(text: string): string
  /** Converts a text of the command line to the form that `decode` returns. */
  argument(text: string): string
}

const TEXT: Coding = {
  unicode: true,
  decode: textOf,
  encode: packed,
  argument: (text) => text,
}
const BYTES: Coding = {
  unicode: false,
  decode: (bytes) => bytes,
  encode: (text) => text,
  argument: packed,
}

export function codingOf(data: readonly string[], env: ReadonlyMap<string, string>): Coding {
  return isByteLocale(env) || data.some((bytes) => decoded(bytes) === undefined) ? BYTES : TEXT
}

export function isByteLocale(env: ReadonlyMap<string, string>): boolean {
  const locale = env.get('LC_ALL') || env.get('LC_CTYPE') || env.get('LANG') || ''
  return locale === 'C' || locale === 'POSIX'
}

/** Splits data into lines without their line breaks. A last line without a line break counts too. */
export function linesOf(data: string, end = '\n'): string[] {
  const lines = data.split(end)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
