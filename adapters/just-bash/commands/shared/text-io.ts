import type { Piece } from '../../library-types.js'
import { binaryOf, bytesOf, packed, textOf } from './bytes.js'
import { type CommandContext, inOrder, type OwnResult } from './command.js'
import { errorWords } from './errno.js'
import { pathOf } from './files.js'
import { Pace } from './pace.js'

/** What a command says beside its output, and where in it. */
export class Report {
  status = 0
  readonly #name: string
  readonly #printed: { readonly length: number }
  readonly #silent: boolean
  readonly #messages: { readonly after: number; readonly text: string }[] = []

  /**
   * @param printed how much it has printed. Default: nothing yet, whatever it prints later
   * @param silent only the status counts
   */
  constructor(name: string, printed: { readonly length: number } = '', silent = false) {
    this.#name = name
    this.#printed = printed
    this.#silent = silent
  }

  /** Something was said. */
  get spoke(): boolean {
    return this.#messages.length > 0
  }

  /** A failure that the command goes on after. The highest status counts. */
  fail(message: string, status = 1): void {
    this.say(`${this.#name}: ${message}\n`)
    this.status = Math.max(this.status, status)
  }

  /** On standard error. */
  say(text: string): void {
    if (text !== '' && !this.#silent) this.#messages.push({ after: this.#printed.length, text })
  }

  /** @param encode makes bytes of it, one character each. Default: they are */
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

/** Bytes, one character each, of a file, or with `-` of the input. */
export async function bytesNamed(context: CommandContext, name: string): Promise<string> {
  if (name === '-') return NOT_BYTES.test(context.stdin) ? packed(context.stdin) : context.stdin
  return pacedBinary(context, await context.fs.readFileBuffer(pathOf(context, name)))
}

/** `binaryOf` that gives way. */
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
  /** One character a byte. */
  readonly data: string
}

interface ReadSettings {
  readonly status?: number
  readonly tell?: (name: string, words: string) => string
}

const plainly = (name: string, words: string): string => `${name}: ${words}`

/** Those that can be read, one by one, the input for none. The others are told of. */
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

/** For commands that print nothing before they have read all of them. */
export async function readSources(...given: Parameters<typeof eachSource>): Promise<Source[]> {
  const sources: Source[] = []
  for await (const source of eachSource(...given)) sources.push(source)
  return sources
}

const NOT_BYTES = /[^\0-\xff]/
const NOT_ASCII = /[^\0-\x7f]/
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as the text that they are in UTF-8; undefined where they are none. */
export function decoded(bytes: string): string | undefined {
  if (!NOT_ASCII.test(bytes)) return bytes
  try {
    return strict.decode(bytesOf(bytes))
  } catch {
    return undefined
  }
}

/** How a command reads its data: as text, or where some of it is no UTF-8, as bytes that stay as they are. */
export interface Coding {
  readonly unicode: boolean
  decode(bytes: string): string
  encode(text: string): string
  /** Text of the command line, in the form of the data. */
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

/** Lines without their ends; one without an end at the end is a line too. */
export function linesOf(data: string, end = '\n'): string[] {
  const lines = data.split(end)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
