import { packed } from './shared/bytes.js'
import type { OwnCommand, OwnResult } from './shared/command.js'
import { command, Failure } from './shared/failure.js'
import { type Given, parseOptions } from './shared/options.js'

const OPTIONS = 'o|options= l|longoptions|long= n|name= q|quiet Q|quiet-output s|shell= a|alternative u|unquoted T|test h|help V|version'
const HINT = "Try 'getopt --help' for more information."

type Value = 'none' | 'required' | 'optional'

interface Wanted {
  readonly short: ReadonlyMap<string, Value>
  readonly long: ReadonlyMap<string, Value>
  /** Whether long options may start with one dash. */
  readonly alternative: boolean
  /** After an operand: continue parsing options (''), stop (`+`), or keep the order (`-`). */
  readonly order: '' | '+' | '-'
}

/** The command `getopt` of util-linux. */
export const getoptCommand: OwnCommand = command(
  'getopt',
  {
    status: 2,
    usage:
      'getopt optstring parameters\n  or:  getopt [options] [--] optstring parameters\n  or:  getopt [options] -o optstring [options] [--] parameters',
  },
  async (args) => {
    const [first] = args
    if (first === undefined) throw new Failure(`missing optstring argument\n${HINT}`, 2)
    // The old form, `getopt optstring arguments`, has no options of its own and does not quote its output.
    const isOld = !first.startsWith('-')
    const given = parseOptions('getopt', isOld ? ['-u', '-o', first, '--', ...args.slice(1)] : args, OPTIONS, {
      status: 2,
      stopAtOperand: true,
      hint: HINT,
    })
    if (given.has('T')) return { stdout: '', stderr: '', exitCode: 4 }
    const parameters = [...given.operands]
    const short = given.value('o') ?? parameters.shift()
    if (short === undefined) throw new Failure(`missing optstring argument\n${HINT}`, 2)
    return answer(given, new Reader(wantedOf(short, given)).read(parameters))
  },
)

function answer(given: Given, { words, operands, faults }: Read): OwnResult {
  const shell = given.value('s') ?? 'bash'
  if (!/^(?:ba|t?c)?sh$/.test(shell)) throw new Failure(`unknown shell after -s or --shell argument\n${HINT}`, 2)
  const quote = given.has('u') ? (text: string): string => text : shell.endsWith('csh') ? quotedForCsh : quoted
  const shown = words.map((word) => (word.isValue ? quote(word.text) : word.text))
  const line = `${[...shown, '--', ...operands.map(quote)].map((word) => ` ${word}`).join('')}\n`
  const name = given.value('n') ?? 'getopt'
  return {
    stdout: given.has('Q') ? '' : packed(line),
    stderr: given.has('q') ? '' : faults.map((fault) => `${name}: ${fault}\n`).join(''),
    exitCode: faults.length > 0 ? 1 : 0,
    stdoutKind: 'bytes',
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const quotedForCsh = (text: string): string => quoted(text).replaceAll('!', "'\\!'").replaceAll('\n', "'\\n'").replace(/\s/g, "'\\$&'")

function wantedOf(text: string, given: Given): Wanted {
  const order = /^[+-]/.exec(text)?.[0] ?? ''
  const short = new Map<string, Value>()
  for (const [, letter = '', colons = ''] of text.slice(order.length).matchAll(/([^:])(:{0,2})/gu)) short.set(letter, wantedValue(colons))
  const long = new Map<string, Value>()
  for (const name of given.values('l').flatMap((list) => list.split(/[,\s]+/).filter(Boolean))) {
    const colons = /:{0,2}$/.exec(name)?.[0] ?? ''
    if (name === colons) throw new Failure(`empty long option after -l or --long argument\n${HINT}`, 2)
    long.set(name.slice(0, name.length - colons.length), wantedValue(colons))
  }
  return { short, long, alternative: given.has('a'), order: order as Wanted['order'] }
}

const wantedValue = (colons: string): Value => (colons === '' ? 'none' : colons === ':' ? 'required' : 'optional')

interface Word {
  readonly text: string
  readonly isValue: boolean
}

interface Read {
  readonly words: readonly Word[]
  readonly operands: readonly string[]
  readonly faults: readonly string[]
}

class Reader {
  readonly #wanted: Wanted
  readonly #words: Word[] = []
  readonly #operands: string[] = []
  readonly #faults: string[] = []
  #rest: string[] = []

  constructor(wanted: Wanted) {
    this.#wanted = wanted
  }

  read(parameters: readonly string[]): Read {
    this.#rest = [...parameters]
    const { order, alternative, short } = this.#wanted
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      if (word === '--') break
      if (word.startsWith('--')) this.#long(word.slice(2), '--')
      else if (word.startsWith('-') && word !== '-') {
        const letter = [...word][1] as string
        const isLong = alternative && (this.#fitting(word.slice(1)).length > 0 || !short.has(letter))
        if (isLong && !(word.length === 2 && short.has(letter))) this.#long(word.slice(1), '-')
        else this.#short([...word].slice(1))
      } else if (order === '-') this.#words.push({ text: word, isValue: true })
      else {
        this.#operands.push(word)
        if (order === '+') break
      }
    }
    this.#operands.push(...this.#rest)
    return { words: this.#words, operands: this.#operands, faults: this.#faults }
  }

  #fitting(text: string): string[] {
    const given = text.split('=')[0] as string
    const names = [...this.#wanted.long.keys()]
    return names.includes(given) ? [given] : names.filter((name) => name.startsWith(given))
  }

  #long(text: string, dashes: string): void {
    const at = text.indexOf('=')
    const given = at < 0 ? text : text.slice(0, at)
    const fitting = this.#fitting(text)
    const [name] = fitting
    if (name === undefined) return void this.#fault(`unrecognized option '${dashes}${given}'`)
    if (fitting.length > 1) {
      return void this.#fault(
        `option '${dashes}${given}' is ambiguous; possibilities: ${fitting.map((one) => `'${dashes}${one}'`).join(' ')}`,
      )
    }
    const wants = this.#wanted.long.get(name) as Value
    let value = at < 0 ? undefined : text.slice(at + 1)
    if (value !== undefined && wants === 'none') return void this.#fault(`option '${dashes}${name}' doesn't allow an argument`)
    if (value === undefined && wants === 'required') {
      value = this.#rest.shift()
      if (value === undefined) return void this.#fault(`option '${dashes}${name}' requires an argument`)
    }
    this.#found(`--${name}`, wants, value)
  }

  #short(letters: readonly string[]): void {
    for (const [at, letter] of letters.entries()) {
      const wants = this.#wanted.short.get(letter)
      if (wants === undefined) {
        this.#fault(`invalid option -- '${letter}'`)
        continue
      }
      const attached = letters.slice(at + 1).join('')
      if (wants === 'none') this.#found(`-${letter}`, wants, undefined)
      else {
        const value = attached !== '' ? attached : wants === 'required' ? this.#rest.shift() : undefined
        if (value === undefined && wants === 'required') return void this.#fault(`option requires an argument -- '${letter}'`)
        return void this.#found(`-${letter}`, wants, value)
      }
    }
  }

  #found(text: string, wants: Value, value: string | undefined): void {
    this.#words.push({ text, isValue: false })
    if (wants !== 'none') this.#words.push({ text: value ?? '', isValue: true })
  }

  #fault(words: string): void {
    this.#faults.push(words)
  }
}
