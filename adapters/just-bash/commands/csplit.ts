import { bytesOf, packed } from './shared/bytes.js'
import { formatInteger, refusalOf } from './shared/c-format.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { pathOf, told } from './shared/files.js'
import { checkOperands, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { compileRegex, loadLongest, type Regex } from './shared/regex/regex.js'
import { bytesNamed, linesOf } from './shared/text-io.js'

const OPTIONS = 'b|suffix-format= f|prefix= k|keep-files suppress-matched n|digits= s|q|quiet|silent z|elide-empty-files'

export const csplitCommand: OwnCommand = command('csplit', { usage: 'csplit [OPTION]... FILE PATTERN...' }, run)

interface Pattern {
  readonly text: string
  /** The expression at which to split. If undefined, the file is split at the line number `line`. */
  readonly regex: Regex | undefined
  readonly line: number
  readonly offset: number
  /** Whether to drop the part before the match (`%regex%`). */
  readonly skips: boolean
  /** How many more times to apply the pattern (`{n}`). */
  repeat: number
}

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('csplit', args, OPTIONS)
  checkOperands('csplit', given.operands, 2)
  const [file = '', ...texts] = given.operands
  await loadLongest()
  const patterns = patternsOf(texts)
  const nameOf = naming(given.value('f') ?? 'xx', given.value('n') ?? '2', given.value('b'))
  const data = await bytesNamed(context, file).catch((error: unknown) =>
    told(`cannot open '${file}' for reading`, async () => {
      throw error
    }),
  )
  if (data === '' && patterns[0]?.regex === undefined) {
    await context.fs.writeFile(pathOf(context, nameOf(0)), new Uint8Array())
    throw new Failure('input disappeared')
  }
  const splitter = new Splitter(data, new Pace(context), given.has('suppress-matched'))
  const failure = await splitter.split(patterns)
  const parts = given.has('z') ? splitter.parts.filter((part) => part !== '') : splitter.parts
  if (!failure || given.has('k')) {
    for (const [at, part] of parts.entries()) {
      const name = nameOf(at)
      await told(name, () => context.fs.writeFile(pathOf(context, name), bytesOf(part)))
    }
  }
  const sizes = given.has('s') ? '' : parts.map((part) => `${part.length}\n`).join('')
  return { stdout: sizes, stderr: failure ? `csplit: ${failure}\n` : '', exitCode: failure ? 1 : 0, stdoutKind: 'bytes' }
}

function patternsOf(texts: readonly string[]): Pattern[] {
  const patterns: Pattern[] = []
  let last = 0
  for (const text of texts) {
    const repeat = /^\{(\*|\d+)\}$/.exec(text)?.[1]
    const before = patterns.at(-1)
    if (repeat !== undefined && before) before.repeat = repeat === '*' ? Number.POSITIVE_INFINITY : Number(repeat)
    else if (text.startsWith('{') && before) throw new Failure(`${text}: integer required between '{' and '}'`)
    else if (/^[/%]/.test(text)) patterns.push(searched(text))
    else if (/^\d+$/.test(text)) {
      const line = Number(text)
      if (line === 0) throw new Failure(`${text}: line number must be greater than zero`)
      if (line < last) throw new Failure(`line number '${line}' is smaller than preceding line number, ${last}`)
      last = line
      patterns.push({ text, regex: undefined, line, offset: 0, skips: false, repeat: 0 })
    } else throw new Failure(`'${text}': invalid pattern`)
  }
  return patterns
}

function searched(text: string): Pattern {
  const [mark] = text as unknown as [string]
  const end = text.lastIndexOf(mark)
  if (end === 0) throw new Failure(`${text}: closing delimiter '${mark}' missing`)
  const offset = text.slice(end + 1)
  if (!/^(?:[+-]?\d+)?$/.test(offset)) throw new Failure(`'${text}': integer expected after delimiter`)
  const regex = compileRegex(packed(text.slice(1, end)), { extended: false, unicode: false })
  return { text, regex, line: 0, offset: Number(offset), skips: mark === '%', repeat: 0 }
}

function naming(prefix: string, digits: string, format: string | undefined): (at: number) => string {
  if (!/^\d{1,3}$/.test(digits)) throw new Failure(`invalid number: '${digits}'`)
  if (format === undefined) return (at) => prefix + String(at).padStart(Number(digits), '0')
  const found = /^((?:[^%]|%%)*)%([-+ 0#']*)(\d*)(?:\.(\d*))?([diuoxX])((?:[^%]|%%)*)$/s.exec(format)
  if (!found) {
    const marks = format.replaceAll('%%', '').split('%').length - 1
    const why =
      marks === 0
        ? 'missing % conversion specification'
        : marks > 1
          ? 'too many % conversion specifications'
          : 'invalid conversion specifier'
    throw new Failure(`${why} in suffix: ${format}`)
  }
  const [, before = '', flags = '', width, precision, letter = 'd', behind = ''] = found
  const directive = { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision), letter }
  const refusal = refusalOf(directive)
  if (refusal) throw new Failure(refusal)
  const plain = (text: string): string => text.replaceAll('%%', '%')
  return (at) => prefix + plain(before) + formatInteger(BigInt(at), directive) + plain(behind)
}

/** An error that ends the split early. */
class Unfit extends Error {}

class Splitter {
  readonly parts: string[] = []
  readonly #lines: readonly string[]
  readonly #pace: Pace
  readonly #suppresses: boolean
  /** Number of the first line that is not in a part yet. */
  #first = 1
  /** Number of the last matched line. */
  #current = 0

  constructor(data: string, pace: Pace, suppresses: boolean) {
    const ends = data !== '' && !data.endsWith('\n')
    const lines = linesOf(data)
    this.#lines = lines.map((line, i) => (ends && i === lines.length - 1 ? line : `${line}\n`))
    this.#pace = pace
    this.#suppresses = suppresses
  }

  /** Splits the file. Resolves to the error message if a pattern fails. */
  async split(patterns: readonly Pattern[]): Promise<string | undefined> {
    try {
      for (const pattern of patterns) {
        for (let time = 0; time <= pattern.repeat; time++) {
          await this.#pace.turn(2)
          if (pattern.regex === undefined) this.#atLine(pattern, time)
          else if (!(await this.#atMatch(pattern, pattern.regex, time))) return undefined
        }
      }
      this.#take(this.#lines.length + 1)
      return undefined
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      return error.message
    }
  }

  /** Adds the lines before the line number `line` as a part. */
  #take(line: number): void {
    this.parts.push(this.#lines.slice(this.#first - 1, line - 1).join(''))
    this.#first = Math.max(this.#first, Math.min(line, this.#lines.length + 1))
  }

  #atLine({ text, line }: Pattern, time: number): void {
    const at = line * (time + 1)
    this.#take(at)
    const count = this.#lines.length
    if (at > count + 1 || (at > count && !this.#suppresses)) throw new Unfit(`'${text}': line number out of range${repetition(time)}`)
    if (this.#suppresses) this.#first = Math.min(this.#first + 1, count + 1)
  }

  /** Splits at the next match. Returns false if a pattern that repeats without limit (`{*}`) has no further match. */
  async #atMatch({ text, offset, skips, repeat }: Pattern, regex: Regex, time: number): Promise<boolean> {
    let at = Math.max(this.#current + 1, this.#first)
    for (; at <= this.#lines.length; at++) {
      await this.#pace.turn()
      if (regex.test((this.#lines[at - 1] as string).replace(/\n$/, ''))) break
    }
    if (at > this.#lines.length) {
      if (!skips) this.#take(at)
      if (repeat === Number.POSITIVE_INFINITY) return false
      throw new Unfit(`'${text}': match not found${repetition(time)}`)
    }
    const border = at + offset
    const outside = border < this.#first || border > this.#lines.length + 1
    if (skips) this.#first = outside ? this.#first : border
    else this.#take(border)
    if (outside) throw new Unfit(`'${text}': line number out of range`)
    if (this.#suppresses) this.#first = Math.min(this.#first + 1, this.#lines.length + 1)
    this.#current = offset > 0 ? border : at
    return true
  }
}

const repetition = (time: number): string => (time > 0 ? ` on repetition ${time}` : '')
