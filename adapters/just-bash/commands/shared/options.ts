import { Failure, optionsLine, UsageFailure } from './failure.js'

export interface ParseSettings {
  /** Stop at the first operand, because the rest belongs to another command. Default: options may appear anywhere. */
  readonly stopAtOperand?: boolean
  /** Status of a usage error. Default: 1. */
  readonly status?: number
  /**
   * Id of the option that a number such as `-5` sets. The number may also be part of a group of letters. Values of other options and
   * operands are not affected.
   */
  readonly number?: string
  /** The line after the message. Default: `Try 'name --help' for more information.` */
  readonly hint?: string
}

interface Spec {
  readonly id: string
  readonly value: 'none' | 'required' | 'optional'
}

export interface GivenOption {
  readonly id: string
  readonly value: string | undefined
}

interface GivenOperand {
  readonly id?: undefined
  readonly value: string
}

/** The options and operands of a command, in order. */
export class Given {
  readonly operands: readonly string[]
  readonly options: readonly GivenOption[]
  /** Options and operands in their original order. An operand has no id. */
  readonly sequence: readonly (GivenOption | GivenOperand)[]

  constructor(sequence: Given['sequence']) {
    this.sequence = sequence
    this.options = sequence.filter((one) => one.id !== undefined)
    this.operands = sequence.flatMap((one) => (one.id === undefined ? [one.value] : []))
  }

  has(id: string): boolean {
    return this.options.some((option) => option.id === id)
  }

  /** Returns the value of the last occurrence of an option. */
  value(id: string): string | undefined {
    return this.options.findLast((option) => option.id === id)?.value
  }

  values(id: string): string[] {
    return this.options.flatMap((option) => (option.id === id && option.value !== undefined ? [option.value] : []))
  }

  /** Returns the id of the one of these options that is given last. */
  last(...ids: readonly string[]): string | undefined {
    return this.options.findLast(({ id }) => ids.includes(id))?.id
  }
}

/**
 * Parses options like `getopt_long`: `-ab`, `-n5`, `-n 5`, `--long`, `--long=5`, unambiguous `--lo`, `--`.
 *
 * @param specs options, separated by white space. `|` separates the names of an option; the first name is the id. Suffixes: `=`: the option
 * has a value; `=?`: the value is optional; then `!`: the command rejects the option with its own message
 * @throws {Failure} in GNU's wording
 */
export function parseOptions(name: string, args: readonly string[], specs: string, settings: ParseSettings = {}): Given {
  const known = readSpecs(specs)
  const found: (GivenOption | GivenOperand)[] = []
  const rest = [...args]
  const refuse = (message: string): Failure => {
    const options = shownSpecs(specs, settings)
    const hint = settings.hint ?? `Try '${name} --help' for more information.`
    return new UsageFailure(`${message}\n${hint}\n${optionsLine(options)}`.trimEnd(), settings.status, options)
  }

  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      for (const arg of rest) found.push(operand(arg))
      break
    }
    if (arg.startsWith('--')) found.push(long(arg.slice(2), known, rest, refuse))
    else if (arg.startsWith('-') && arg !== '-') found.push(...short(arg.slice(1), known, rest, { refuse, number: settings.number }))
    else if (settings.stopAtOperand) {
      found.push(operand(arg), ...rest.map(operand))
      break
    } else found.push(operand(arg))
  }
  return new Given(found)
}

/** @throws {Failure} if the option has a value that is not one of `choices` */
export function checkChoice(given: Given, [id, option]: readonly [id: string, option: string], choices: string, status = 1): void {
  const all = choices.split(' ')
  const wrong = given.values(id).find((value) => !all.includes(value))
  if (wrong !== undefined) throw new Failure(`invalid argument '${wrong}' for '${option}'\nValid arguments are: ${all.join(', ')}`, status)
}

const operand = (value: string): GivenOperand => ({ value })

type Known = ReadonlyMap<string, Spec>
type Refuse = (message: string) => Failure

function readSpecs(specs: string): Known {
  const known = new Map<string, Spec>()
  for (const marked of specs.match(/\S+/g) ?? []) {
    const spec = marked.replace(/!$/, '')
    const value = spec.endsWith('=?') ? 'optional' : spec.endsWith('=') ? 'required' : 'none'
    const names = spec.replace(/=\??$/, '').split('|')
    for (const name of names) known.set(name, { id: names[0] as string, value })
  }
  return known
}

/** Formats option specs for display: `-n|--lines=`. */
function shownSpecs(specs: string, { number }: ParseSettings): string[] {
  const shown = (specs.match(/\S+/g) ?? [])
    .filter((spec) => !spec.endsWith('!') && spec !== 'version')
    .map((spec) => spec.replace(/(^|\|)(?=[^|])/g, '$1-').replace(/(^|\|)-(?=[^|=]{2})/g, '$1--'))
  return number === undefined ? shown : ['-NUMBER', ...shown]
}

function long(text: string, known: Known, rest: string[], refuse: Refuse): GivenOption {
  const at = text.indexOf('=')
  const given = at < 0 ? text : text.slice(0, at)
  const value = at < 0 ? undefined : text.slice(at + 1)
  const name = complete(given, known, refuse)
  const { id, value: wants } = known.get(name) as Spec
  if (value !== undefined && wants === 'none') throw refuse(`option '--${name}' doesn't allow an argument`)
  if (value !== undefined || wants !== 'required') return { id, value }
  const next = rest.shift()
  if (next === undefined) throw refuse(`option '--${name}' requires an argument`)
  return { id, value: next }
}

function complete(given: string, known: Known, refuse: Refuse): string {
  if (given.length > 1 && known.has(given)) return given
  const names = [...known.keys()].filter((name) => name.length > 1 && name.startsWith(given))
  const ids = new Set(names.map((name) => known.get(name)?.id))
  if (ids.size === 1) return names[0] as string
  if (ids.size === 0) throw refuse(`unrecognized option '--${given}'`)
  throw refuse(`option '--${given}' is ambiguous; possibilities: ${names.map((name) => `'--${name}'`).join(' ')}`)
}

interface ShortSettings {
  readonly refuse: Refuse
  readonly number: string | undefined
}

function short(letters: string, known: Known, rest: string[], { refuse, number }: ShortSettings): GivenOption[] {
  const found: GivenOption[] = []
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string
    const digits = number === undefined || known.has(letter) ? undefined : /^\d+/.exec(letters.slice(at))?.[0]
    if (number !== undefined && digits !== undefined) {
      found.push({ id: number, value: digits })
      at += digits.length - 1
      continue
    }
    const spec = known.get(letter)
    if (!spec) throw refuse(`invalid option -- '${letter}'`)
    if (spec.value === 'none') {
      found.push({ id: spec.id, value: undefined })
      continue
    }
    const attached = letters.slice(at + 1)
    const value = attached !== '' ? attached : spec.value === 'optional' ? undefined : rest.shift()
    if (value === undefined && spec.value === 'required') throw refuse(`option requires an argument -- '${letter}'`)
    found.push({ id: spec.id, value })
    break
  }
  return found
}

/** @throws {Failure} like coreutils, for extra or missing operands */
export function checkOperands(name: string, operands: readonly string[], least: number, most: number = Number.POSITIVE_INFINITY): void {
  const hint = `Try '${name} --help' for more information.`
  if (operands.length < least) {
    const last = operands.at(-1)
    throw new Failure(`${last === undefined ? 'missing operand' : `missing operand after '${last}'`}\n${hint}`)
  }
  if (operands.length > most) throw new Failure(`extra operand '${operands[most]}'\n${hint}`)
}
