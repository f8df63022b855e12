import { escapeOf, joined } from '../../escaped-bytes.js'
import { Failure } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'
import { CLASS_SYNTAX } from '../shared/regex/parse.js'
import { compileRegex, type Regex } from '../shared/regex/regex.js'
import type { Address, Piece, Program, SedCommand, Substitution } from './program.js'

export interface SedSyntax {
  readonly extended: boolean
  readonly unicode: boolean
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }
const NO_ADDRESS = new Set([':', '}', '#'])
const PLAIN = new Set([...'=dDgGhHnNpPxzF'])

/** @throws {Failure} for a syntax error, such as `-e expression #1, char 3: ...` */
export function parseSed(script: string, syntax: SedSyntax, pace: Pace): Promise<Program> {
  return new SedParser(script, syntax).all(pace)
}

/** Estimated microseconds to compile the regex of a command. */
const COMMAND_STEPS = 100

class SedParser {
  readonly #script: string
  readonly #syntax: SedSyntax
  readonly #commands: SedCommand[] = []
  readonly #labels = new Map<string, number>()
  readonly #open: SedCommand[] = []
  #at = 0

  constructor(script: string, syntax: SedSyntax) {
    this.#script = script
    this.#syntax = syntax
  }

  async all(pace: Pace): Promise<Program> {
    const quiet = /^#n(\n|$)/.test(this.#script)
    for (;;) {
      this.#skip(/[\s;]*/y)
      if (this.#at >= this.#script.length) break
      this.#command()
      await pace.turn(COMMAND_STEPS)
    }
    if (this.#open.length > 0) throw new Failure("-e expression #1, char 0: unmatched `{'")
    for (const command of this.#commands) {
      if (!'btT'.includes(command.name)) continue
      const target = command.text === '' ? this.#commands.length : this.#labels.get(command.text)
      if (target === undefined)
        throw new Failure(`-e expression #1, char ${this.#script.length}: can't find label for jump to \`${command.text}'`, 4)
      command.target = target
    }
    return { commands: this.#commands, quiet }
  }

  #command(): void {
    const first = this.#address()
    let second: Address | undefined
    this.#skip(/[ \t]*/y)
    if (first && this.#peek() === ',') {
      this.#at++
      this.#skip(/[ \t]*/y)
      second = this.#secondAddress()
      if (!second) throw this.#refused("unexpected `,'")
    }
    if (first?.kind === 'line' && first.line === 0 && second?.kind !== 'match') throw this.#refused('invalid usage of line address 0')
    this.#skip(/[ \t]*/y)
    let negated = false
    while (this.#peek() === '!') {
      negated = true
      this.#at++
      this.#skip(/[ \t]*/y)
    }
    const name = this.#script[this.#at++]
    if (name === undefined) throw this.#refused('missing command')
    if (first && NO_ADDRESS.has(name)) {
      throw this.#refused(
        name === ':'
          ? ": doesn't want any addresses"
          : name === '#'
            ? "comments don't accept any addresses"
            : "} doesn't want any addresses",
      )
    }
    this.#body(name, { first, second, negated })
  }

  #body(name: string, where: Pick<SedCommand, 'first' | 'second' | 'negated'>): void {
    const add = (parts: Partial<SedCommand> = {}): SedCommand => {
      const command = { ...where, name, text: '', number: undefined, substitution: undefined, map: undefined, target: 0, ...parts }
      this.#commands.push(command)
      return command
    }
    if (PLAIN.has(name)) {
      add()
      this.#end()
    } else if (name === '#') this.#skip(/[^\n]*/y)
    else if (name === '{') this.#open.push(add())
    else if (name === '}') {
      const open = this.#open.pop()
      if (!open) throw this.#refused("unexpected `}'")
      open.target = this.#commands.length
      this.#end()
    } else if (name === ':') {
      const label = this.#skip(/[ \t]*[^\n;]*/y).trim()
      if (label === '') throw this.#refused('":" lacks a label')
      this.#labels.set(label, this.#commands.length)
    } else if ('btT'.includes(name)) {
      add({ text: this.#skip(/[ \t]*[^\n;}]*/y).trim() })
      this.#end()
    } else if ('aic'.includes(name)) add({ text: this.#text() })
    else if ('rRwW'.includes(name)) {
      const text = this.#skip(/[ \t]*[^\n]*/y).replace(/^[ \t]+/, '')
      if (text === '') throw this.#refused('missing filename in r/R/w/W commands')
      add({ text })
    } else if ('qQlL'.includes(name)) {
      if (where.second && 'qQ'.includes(name)) throw this.#refused('command only uses one address')
      const digits = this.#skip(/[ \t]*\d*/y).trim()
      add({ number: digits === '' ? undefined : Number(digits) })
      this.#end()
    } else if (name === 's') add({ substitution: this.#substitution() })
    else if (name === 'y') {
      add({ map: this.#map() })
      this.#end()
    } else if (name === 'v') {
      this.#skip(/[^\n;]*/y)
    } else if (name === 'e') throw this.#refused('the e command is not supported in this shell')
    else throw this.#refused(`unknown command: \`${name}'`)
  }

  #address(): Address | undefined {
    const char = this.#peek()
    if (char === '$') {
      this.#at++
      return { kind: 'last' }
    }
    if (char === '/' || char === '\\') {
      if (char === '\\') this.#at++
      return { kind: 'match', regex: this.#regexAddress() }
    }
    const digits = this.#skip(/\d*/y)
    if (digits === '') return undefined
    const step = this.#skip(/[ \t]*~[ \t]*\d*/y)
    const every = Number(step.replace(/\D/g, ''))
    return every === 0 ? { kind: 'line', line: Number(digits) } : { kind: 'step', first: Number(digits), step: every }
  }

  #secondAddress(): Address | undefined {
    const relative = this.#skip(/[+~]\d+/y)
    if (relative === '') return this.#address()
    const count = Number(relative.slice(1))
    return relative[0] === '+' ? { kind: 'plus', lines: count } : { kind: 'multiple', of: count }
  }

  #regexAddress(): Regex | undefined {
    const source = this.#delimited(this.#script[this.#at++] as string, 'unterminated address regex', true)
    const flags = this.#skip(/[IM]*/y)
    return this.#regex(source, flags.includes('I'), flags.includes('M'))
  }

  #regex(source: string, ignoreCase: boolean, multiline: boolean): Regex | undefined {
    if (source === '') return undefined
    try {
      const plain = this.#unescaped(source, (char) => ESCAPES[char] ?? `\\${char}`)
      return compileRegex(plain, { ...this.#syntax, ignoreCase, multiline, leadingRepeat: 'refused', strictClasses: true })
    } catch (error) {
      if (error instanceof Failure && error.message === CLASS_SYNTAX) throw new Failure(CLASS_SYNTAX, 4)
      throw error instanceof Failure ? this.#refused(error.message) : error
    }
  }

  /**
   * Reads up to the delimiter. An escaped delimiter is an ordinary character. Keeps `\n` as is.
   *
   * @param inRegex whether to ignore delimiters in bracket expressions
   */
  #delimited(delimiter: string, unterminated: string, inRegex: boolean): string {
    let out = ''
    while (this.#at < this.#script.length) {
      const char = this.#script[this.#at++] as string
      if (char === delimiter) return out
      if (char === '\\') {
        const next = this.#script[this.#at++]
        if (next === undefined) break
        if (next === delimiter) out += next
        else if (next === '\n' && inRegex) out += '\n'
        else out += `\\${next}`
      } else if (char === '[' && inRegex) out += char + this.#bracket()
      else if (char === '\n' && inRegex) throw this.#refused(unterminated)
      else out += char
    }
    throw this.#refused(unterminated)
  }

  /** Reads the rest of a bracket expression, where the delimiter is an ordinary character. */
  #bracket(): string {
    const found = /\^?\]?(?:\[:[a-z]*:\]|\[[.=][^\n]*?[.=]\]|[^\]\n])*\]/y
    found.lastIndex = this.#at
    const text = found.exec(this.#script)?.[0]
    if (text === undefined) return ''
    this.#at += text.length
    return text
  }

  #substitution(): Substitution {
    const delimiter = this.#script[this.#at++] ?? '\n'
    if (delimiter === '\n' || delimiter === '\\') throw this.#refused("unterminated `s' command")
    const source = this.#delimited(delimiter, "unterminated `s' command", true)
    const replacement = this.#delimitedReplacement(delimiter)
    let [all, print, from, ignoreCase, multiline] = [false, false, 1, false, false]
    let file: string | undefined
    for (;;) {
      const flag = this.#peek() ?? ''
      if (/\d/.test(flag)) {
        from = Number(this.#skip(/\d+/y))
        if (from === 0) throw this.#refused("number option to `s' command may not be zero")
        continue
      }
      if (flag === 'g') all = true
      else if (flag === 'p') print = true
      else if (flag === 'i' || flag === 'I') ignoreCase = true
      else if (flag === 'm' || flag === 'M') multiline = true
      else if (flag === 'w') {
        this.#at++
        file = this.#skip(/[^\n]*/y).trim()
        break
      } else if (flag === 'e') throw this.#refused('the e flag is not supported in this shell')
      else {
        this.#end("unknown option to `s'")
        break
      }
      this.#at++
    }
    const regex = this.#regex(source, ignoreCase, multiline)
    const pieces = piecesOf(this.#unescaped(replacement, (char) => ESCAPES[char] ?? `\\${char}`, true))
    const wanted = Math.max(0, ...pieces.map((piece) => (piece.kind === 'group' ? piece.index : 0)))
    if (regex && wanted > regex.groups) throw this.#refused(`invalid reference \\${wanted} on \`s' command's RHS`)
    return { regex, pieces, all, from, print, file }
  }

  #delimitedReplacement(delimiter: string): string {
    let out = ''
    while (this.#at < this.#script.length) {
      const char = this.#script[this.#at++] as string
      if (char === delimiter) return out
      if (char !== '\\') {
        out += char
        continue
      }
      const next = this.#script[this.#at++]
      if (next === undefined) break
      out += next === delimiter && next !== '&' ? next : `\\${next}`
    }
    throw this.#refused("unterminated `s' command")
  }

  #map(): ReadonlyMap<string, string> {
    const delimiter = this.#script[this.#at++] as string
    const charsOf = (text: string): string[] => [...this.#unescaped(text, (char) => ESCAPES[char] ?? (char === '\\' ? '\\' : `\\${char}`))]
    const from = charsOf(this.#delimited(delimiter, "unterminated `y' command", false))
    const to = charsOf(this.#delimited(delimiter, "unterminated `y' command", false))
    if (from.length !== to.length) throw this.#refused("strings for `y' command are different lengths")
    return new Map(from.map((char, i) => [char, to[i] as string]))
  }

  /** Reads the text of `a`, `i` and `c`: the rest of the line, or the next line if a backslash ends this one. */
  #text(): string {
    this.#skip(/[ \t]*/y)
    if (this.#at >= this.#script.length) throw this.#refused("expected \\ after `a', `c' or `i'")
    if (this.#peek() === '\\') {
      this.#at++
      const space = this.#skip(/[ \t]*/y)
      if (this.#peek() === '\n') this.#at++
      // A backslash at the end of the script means no text, not even a line break.
      else if (this.#at >= this.#script.length) return ''
      else this.#at -= space.length
    }
    const text = this.#skip(/(?:\\[\s\S]|[^\\\n])*/y)
    this.#skip(/\\?\n?/y)
    return `${this.#unescaped(text, (char) => ESCAPES[char] ?? char)}\n`
  }

  /** Resolves numeric escapes such as `\x26`, and other escapes with `rest`. In a replacement, a resolved `&` or `\` is literal. */
  #unescaped(text: string, rest: (char: string) => string, inReplacement = false): string {
    const code = (value: number): string => {
      const char = this.#syntax.unicode && value > 0x7f ? escapeOf(value & 0xff) : String.fromCharCode(value & 0xff)
      return inReplacement && (char === '&' || char === '\\') ? `\\${char}` : char
    }
    const plain = text.replace(
      /\\(?:c([^\\])|d(\d{1,3})|o([0-7]{1,3})|x([\da-fA-F]{1,2})|([\s\S]))/g,
      (_, control?: string, decimal?: string, octal?: string, hex?: string, char = '') => {
        if (control) return code(control.toUpperCase().charCodeAt(0) ^ 0x40)
        if (decimal) return code(Number(decimal))
        if (octal) return code(Number.parseInt(octal, 8))
        if (hex) return code(Number.parseInt(hex, 16))
        return rest(char)
      },
    )
    return this.#syntax.unicode ? joined(plain) : plain
  }

  #end(words = 'extra characters after command'): void {
    this.#skip(/[ \t\r]*/y)
    const char = this.#peek()
    if (char === undefined || char === '}' || char === '#') return
    if (char !== '\n' && char !== ';') throw this.#refused(words, 1)
    this.#at++
  }

  #peek(): string | undefined {
    return this.#script[this.#at]
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const text = pattern.exec(this.#script)?.[0] ?? ''
    this.#at += text.length
    return text
  }

  #refused(words: string, ahead = 0): Failure {
    return new Failure(`-e expression #1, char ${Math.min(this.#script.length, this.#at + ahead)}: ${words}`)
  }
}

function piecesOf(replacement: string): Piece[] {
  const pieces: Piece[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') pieces.push({ kind: 'text', text })
    text = ''
  }
  for (let at = 0; at < replacement.length; at++) {
    const char = replacement[at] as string
    if (char === '&') {
      flush()
      pieces.push({ kind: 'group', index: 0 })
    } else if (char === '\\') {
      const next = replacement[++at] as string
      if (/\d/.test(next)) {
        flush()
        pieces.push({ kind: 'group', index: Number(next) })
      } else if (/[ULulE]/.test(next)) {
        flush()
        pieces.push({ kind: 'case', to: next as 'U' })
      } else text += next
    } else text += char
  }
  flush()
  return pieces
}
