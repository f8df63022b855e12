import { BASH_ESCAPES } from '../control-escapes.js'
import { characterOf, hasEscapes } from '../escaped-bytes.js'
import { checkSize } from './shared/bulk.js'
import { packed, textOf } from './shared/bytes.js'
import { type Directive, formatExact, formatFloat, formatInteger, refusalOf } from './shared/c-format.js'
import type { CommandContext, OwnCommand, OwnResult } from './shared/command.js'
import { endScript, Failure, TooLarge } from './shared/failure.js'
import { Fraction } from './shared/fraction.js'
import { hostOf, Pace, Stopped } from './shared/pace.js'
import { quotedForShell } from './shared/shell-quoting.js'
import { Report } from './shared/text-io.js'
import { formatTime } from './shared/time/format.js'
import { zoneOf } from './shared/time/zone.js'

const DIRECTIVE = /^%([-+ 0#']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:\(([^)]*)\)(?=T))?([hlLqjzt]*)([a-zA-Z%])/

const REAL = /^([+-]?)(?:(0[xX][\da-fA-F]+)|(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?|(inf(?:inity)?|nan))/i
/** Maximum decimal exponent that is read. A larger one is far beyond the range of a `long double`. */
const MAX_EXPONENT = 5000
const TOO_LARGE = 1n << 16384n
/** Maximum number of digits that are read from a number, because reading more would block too long. */
const MAX_DIGITS = 20_000

/** `printf` prints bytes: `\303` is a byte, not the character with that number. */
export const printfCommand: OwnCommand = {
  name: 'printf',
  async execute(args, context) {
    if (args[0]?.startsWith('-v')) return assign(args, context)
    const words = args[0] === '--' ? args.slice(1) : args
    const [format, ...values] = words
    if (format === undefined) return refused('printf: usage: printf [-v var] format [arguments]', 2)
    if (args[0] !== '--' && /^-./s.test(format)) {
      return refused(`bash: printf: ${format.slice(0, 2)}: invalid option\nprintf: usage: printf [-v var] format [arguments]`, 2)
    }
    return new Printer(format, values, context).print()
  },
}

/** Runs `printf -v name` and `printf -v name[subscript]`. */
async function assign(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const [name, ...words] = args[0] === '-v' ? args.slice(1) : [(args[0] as string).slice(2), ...args.slice(1)]
  const [format, ...values] = words[0] === '--' ? words.slice(1) : words
  if (name === undefined) return refused('bash: printf: -v: option requires an argument', 2)
  const [, variable, , quoted, plain] = /^([a-zA-Z_]\w*)(?:\[(?:(["'])(.*)\2|(.+))\])?$/s.exec(name) ?? []
  const { assignShellVariable, env } = context
  if (variable === undefined || !assignShellVariable) return refused(`bash: printf: \`${name}': not a valid identifier`, 2)
  if (format === undefined) return refused('printf: usage: printf [-v var] format [arguments]', 2)
  const { stdout, stderr, exitCode } = await new Printer(format, values, context).print()
  const subscript = (quoted ?? plain)?.replace(/\$(\w+)/g, (_, each: string) => env.get(each) ?? '')
  try {
    await assignShellVariable(variable, textOf(stdout).replace(/\0[\s\S]*$/, ''), subscript)
    return { ...refused('', exitCode), stderr }
  } catch (error) {
    // Errors that end the script have another class.
    if ((error as object).constructor !== Error) throw error
    return refused(`${stderr}bash: ${(error as Error).message}`, 1)
  }
}

const refused = (message: string, exitCode: number): OwnResult => ({ stdout: '', stderr: `${message}\n`, exitCode, stdoutKind: 'bytes' })

/** Thrown by `\c`, which ends the output. */
class Enough extends Error {}

class Printer {
  readonly #format: string
  readonly #values: readonly string[]
  readonly #context: CommandContext
  #next = 0
  #out = ''
  readonly #report: Report

  constructor(format: string, values: readonly string[], context: CommandContext) {
    this.#format = format
    this.#values = values
    this.#context = context
    const lines = (): number => this.#out.lastIndexOf('\n') + 1
    // Bash buffers output by line, so an error message comes before the incomplete line.
    this.#report = new Report('bash: printf', {
      get length() {
        return lines()
      },
    })
  }

  async print(): Promise<OwnResult> {
    const pace = new Pace(this.#context)
    try {
      for (let times = 1; ; times++) {
        const before = this.#next
        this.#once()
        checkSize(this.#context, this.#out.length)
        if (times % 256 === 0) await pace.turn(300)
        if (this.#next === before || this.#next >= this.#values.length) break
      }
    } catch (error) {
      if (error instanceof TooLarge) return endScript('bash: printf', error, this.#context)
      if (error instanceof Stopped) this.#report.status = 130
      else if (error instanceof Failure) {
        this.#report.fail(error.message)
      } else if (!(error instanceof Enough)) throw error
    }
    return this.#report.result(this.#out)
  }

  #once(): void {
    const format = this.#format
    for (let at = 0; at < format.length; ) {
      const char = format[at] as string
      if (char === '\\') {
        const { bytes, length } = escapeAt(format, at, false)
        this.#out += bytes
        at += length
      } else if (char === '%') {
        const found = DIRECTIVE.exec(format.slice(at))
        const letter = found?.[6] ?? ''
        if (!found || !'diouxXeEfFgGaAcsbqQT%'.includes(letter)) {
          const wrong = /^%[-+ 0#']*[\d*]*(?:\.[\d*]*)?(.?)/u.exec(format.slice(at))
          throw new Failure(wrong?.[1] ? `\`${wrong[1]}': invalid format character` : `\`${format.slice(at)}': missing format character`)
        }
        this.#out += this.#directive(found)
        at += found[0].length
      } else {
        const end = format.slice(at).search(/[\\%]/)
        const text = end < 0 ? format.slice(at) : format.slice(at, at + end)
        this.#out += packed(text)
        at += text.length
      }
    }
  }

  #directive([all, flags = '', width, precision, time, , letter = '']: RegExpExecArray): string {
    if (letter === '%' && all === '%%') return '%'
    if (letter === '%') throw new Failure("`%': invalid format character")
    const columns = width === '*' ? Number(this.#integer(this.#take())) : Number(width ?? 0)
    const digits = precision === '*' ? Number(this.#integer(this.#take())) : precision === undefined ? undefined : Number(precision)
    const directive: Directive = {
      flags: columns < 0 ? `${flags}-` : flags,
      width: Math.abs(columns),
      precision: digits !== undefined && digits < 0 ? undefined : digits,
      letter,
    }
    const refusal = refusalOf(directive)
    if (refusal !== undefined) throw new Failure(`${all}: ${refusal}`)
    const given = this.#next < this.#values.length
    switch (letter) {
      case 's':
        return fitted(packed(this.#take()), directive)
      case 'q':
      case 'Q':
        return fitted(packed(quotedForShell(this.#take())), directive)
      case 'b':
        return fitted(this.#unescaped(this.#take()), directive)
      case 'c':
        return fitted(packed(this.#take()).slice(0, 1) || '\0', { ...directive, precision: undefined })
      case 'T': {
        const seconds = given ? Number(this.#integer(this.#take())) : -1
        const now = hostOf(this.#context).now()
        const ms = seconds < 0 ? now : seconds * 1000
        return fitted(packed(formatTime(ms, time === undefined || time === '' ? '%H:%M:%S' : time, zoneOf(this.#context.env))), directive)
      }
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return formatInteger(
          this.#integer(this.#take(), letter === 'd' || letter === 'i'),
          letter === 'u' ? { ...directive, letter: 'u' } : directive,
        )
      case 'a':
      case 'A':
        throw new Failure(`\`${letter}': not supported in this shell`)
      default:
        return this.#real(this.#take(), directive)
    }
  }

  #take(): string {
    return this.#values[this.#next++] ?? ''
  }

  #unescaped(text: string): string {
    let out = ''
    for (let at = 0; at < text.length; ) {
      if (text[at] !== '\\') {
        const end = text.indexOf('\\', at)
        out += packed(text.slice(at, end < 0 ? text.length : end))
        at = end < 0 ? text.length : end
        continue
      }
      if (text[at + 1] === 'c') {
        this.#out += out
        throw new Enough()
      }
      const { bytes, length } = escapeAt(text, at, true)
      out += bytes
      at += length
    }
    return out
  }

  #integer(text: string, signed = true): bigint {
    if (/^["']/.test(text)) return BigInt(numberOf(text))
    const trimmed = text.trimStart()
    const found = /^([+-]?)(0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(trimmed)
    if (found?.[0] !== trimmed && text !== '') this.#complain(text)
    if (!found) return 0n
    const digits = found[2] as string
    const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
    return this.#within64(found[1] === '-' ? -value : value, text, signed)
  }

  /** Clamps a number that does not fit into 64 bits and prints a warning, like bash. */
  #within64(value: bigint, text: string, signed: boolean): bigint {
    const [least, most] = [-(1n << 63n), (1n << (signed ? 63n : 64n)) - 1n]
    if (value >= least && value <= most) return value
    this.#report.fail(`warning: ${text}: Numerical result out of range`, 0)
    return value < 0n ? least : most
  }

  #real(text: string, directive: Directive): string {
    if (/^["']/.test(text)) return formatFloat(numberOf(text), directive)
    const trimmed = text.trimStart()
    const found = REAL.exec(trimmed)
    if (found?.[0] !== trimmed && text !== '') this.#complain(text)
    if (!found) return formatFloat(0, directive)
    const [, sign, hex, digits = '', power = '0', name] = found
    const negative = sign === '-'
    if (name) return formatFloat(/nan/i.test(name) ? Number.NaN : negative ? -Infinity : Infinity, directive)
    if (hex) return formatExact(negative, new Fraction(BigInt(hex), 1n).toLongDouble(), directive)
    if (digits.length > MAX_DIGITS) throw new Failure(`a number of more than ${MAX_DIGITS} digits is not supported here`)
    const most = MAX_EXPONENT + digits.length
    const size = Fraction.parse(digits, Math.max(-most, Math.min(Number(power), most)))
    const isTooLarge = size.atLeast(TOO_LARGE)
    if (isTooLarge || size.isTooSmall) this.#report.fail(`warning: ${text}: Numerical result out of range`, 0)
    return isTooLarge ? formatFloat(negative ? -Infinity : Infinity, directive) : formatExact(negative, size.toLongDouble(), directive)
  }

  #complain(text: string): void {
    this.#report.fail(`${text}: invalid number`)
  }
}

/** Returns the code point of the character after the quote. For an invalid UTF-8 byte, returns the value of the byte. */
function numberOf(quoted: string): number {
  const char = quoted.slice(1)
  return hasEscapes(char.slice(0, 1)) ? char.charCodeAt(0) & 0xff : (char.codePointAt(0) ?? 0)
}

/** Truncates and pads by bytes, like C. */
function fitted(bytes: string, { flags, width, precision }: Directive): string {
  const cut = precision === undefined ? bytes : bytes.slice(0, precision)
  return flags.includes('-') ? cut.padEnd(width) : cut.padStart(width)
}

/** @param zero whether `\0101` is valid, as in `%b` */
function escapeAt(text: string, at: number, zero: boolean): { readonly bytes: string; readonly length: number } {
  const rest = text.slice(at + 1, at + 10)
  const octal = (zero ? /^0?[0-7]{1,3}/ : /^[0-7]{1,3}/).exec(rest)?.[0]
  if (octal) return { bytes: String.fromCharCode(Number.parseInt(octal, 8) & 0xff), length: 1 + octal.length }
  const hex = /^x([\da-fA-F]{1,2})/.exec(rest)
  if (hex) return { bytes: String.fromCharCode(Number.parseInt(hex[1] as string, 16)), length: 1 + hex[0].length }
  const unicode = /^(?:u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8}))/.exec(rest)
  if (unicode) {
    const code = Number.parseInt((unicode[1] ?? unicode[2]) as string, 16)
    return { bytes: packed(characterOf(code)), length: 1 + unicode[0].length }
  }
  const char = rest[0]
  if (char === undefined) return { bytes: '\\', length: 1 }
  const plain = BASH_ESCAPES[char]
  return plain === undefined ? { bytes: '\\', length: 1 } : { bytes: plain, length: 2 }
}
