import { checkSize, Printout } from '../bulk.js'
import type { CommandContext, OwnCommand, OwnResult } from '../command.js'
import { command, Failure } from '../failure.js'
import { type Given, parseOptions } from '../options.js'
import { Pace } from '../pace.js'
import { Report, readSources } from '../repaired/text-io.js'

/** Bytes between two looks at the clock. */
const PIECE = 16 * 1024

export const expandCommand: OwnCommand = command('expand', { usage: 'expand [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('expand', tabArguments(args), 'i|initial t|tabs=')
  return converted('expand', given, context, new Expander(stopsOf(given, context), given.has('i'), context))
})

export const unexpandCommand: OwnCommand = command('unexpand', { usage: 'unexpand [OPTION]... [FILE]...' }, async (args, context) => {
  const given = parseOptions('unexpand', tabArguments(args), 'a|all first-only t|tabs=')
  const everywhere = (given.has('a') || given.has('t')) && !given.has('first-only')
  return converted('unexpand', given, context, new Unexpander(stopsOf(given, context), everywhere))
})

interface Converter {
  /** What is printed for one character. */
  next(char: string): string
  /** What is left at the end. */
  end(): string
}

async function converted(name: string, given: Given, context: CommandContext, converter: Converter): Promise<OwnResult> {
  const report = new Report(name)
  const sources = await readSources(context, given.operands, report)
  const out = new Printout(context)
  const pace = new Pace(context)
  for (const { data } of sources) {
    for (let from = 0; from < data.length; from += PIECE) {
      const end = Math.min(data.length, from + PIECE)
      let text = ''
      for (let at = from; at < end; at++) {
        text += converter.next(data[at] as string)
        if (text.length > PIECE * 8) {
          out.put(text)
          text = ''
        }
      }
      out.put(text)
      await pace.turn(PIECE >> 4)
    }
  }
  out.put(converter.end())
  return report.result(out.text())
}

/** The old form `-4` and `-2,8` of `-t`. */
const tabArguments = (args: readonly string[]): string[] => args.map((arg) => (/^-\d[\d,]*$/.test(arg) ? `-t${arg.slice(1)}` : arg))

/** Gives the next tab stop; undefined behind the last one. */
type Stops = (column: number) => number | undefined

function stopsOf(given: Given, context: CommandContext): Stops {
  const sizes = given
    .values('t')
    .flatMap((text) => text.split(/[, ]/))
    .filter((text) => text !== '')
  const wrong = sizes.find((text) => !/^\d+$/.test(text))
  if (wrong !== undefined) throw new Failure(`tab size contains invalid character(s): '${wrong.replace(/^\d+/, '')}'`)
  const stops = sizes.map(Number)
  if (stops.includes(0)) throw new Failure('tab size cannot be 0')
  if (stops.some((stop, i) => i > 0 && stop <= (stops[i - 1] as number))) throw new Failure('tab sizes must be ascending')
  checkSize(context, stops.at(-1) ?? 0)
  const [size = 8] = stops
  if (stops.length <= 1) return (column) => column + size - (column % size)
  return (column) => stops.find((stop) => stop > column)
}

class Expander implements Converter {
  readonly #stops: Stops
  readonly #initial: boolean
  readonly #context: CommandContext
  #column = 0
  #converts = true

  constructor(stops: Stops, initial: boolean, context: CommandContext) {
    this.#stops = stops
    this.#initial = initial
    this.#context = context
  }

  next(char: string): string {
    if (char === '\n') {
      this.#column = 0
      this.#converts = true
      return char
    }
    if (!this.#converts) return char
    const start = this.#column
    if (char === '\t') this.#column = this.#stops(start) ?? start + 1
    else if (char === '\b') this.#column = Math.max(0, start - 1)
    else this.#column++
    if (this.#initial && char !== ' ' && char !== '\t') this.#converts = false
    if (char !== '\t') return char
    checkSize(this.#context, this.#column - start)
    return ' '.repeat(this.#column - start)
  }

  end(): string {
    return ''
  }
}

/** As coreutils do it: blanks wait until it is known whether a tab takes their place. */
class Unexpander implements Converter {
  readonly #stops: Stops
  readonly #everywhere: boolean
  #column = 0
  #converts = true
  #pending = ''
  #afterBlank = true
  /** One blank stands right before a tab stop: it stays a blank where no other follows. */
  #oneBefore = false

  constructor(stops: Stops, everywhere: boolean) {
    this.#stops = stops
    this.#everywhere = everywhere
  }

  next(given: string): string {
    let char = given
    if (this.#converts) {
      const isBlank = char === ' ' || char === '\t'
      const stop = isBlank ? this.#stops(this.#column) : undefined
      if (isBlank && stop === undefined) this.#converts = false
      else if (isBlank && stop !== undefined) {
        if (char === '\t') {
          this.#column = stop
          if (this.#pending !== '') this.#pending = `\t${this.#pending.slice(1)}`
        } else {
          this.#column++
          if (!(this.#afterBlank && this.#column === stop)) {
            if (this.#column === stop) this.#oneBefore = true
            this.#pending += char
            this.#afterBlank = true
            return ''
          }
          char = '\t'
          this.#pending = `\t${this.#pending.slice(1)}`
        }
        this.#pending = this.#oneBefore ? this.#pending.slice(0, 1) : ''
      } else if (char === '\b') this.#column = Math.max(0, this.#column - 1)
      else this.#column++
      const before = this.#flush()
      this.#afterBlank = isBlank
      this.#converts &&= this.#everywhere || isBlank
      return before + this.#ended(char)
    }
    return this.#ended(char)
  }

  end(): string {
    return this.#flush()
  }

  #flush(): string {
    const text = this.#pending.length > 1 && this.#oneBefore ? `\t${this.#pending.slice(1)}` : this.#pending
    this.#pending = ''
    this.#oneBefore = false
    return text
  }

  #ended(char: string): string {
    if (char === '\n') {
      this.#column = 0
      this.#converts = true
      this.#afterBlank = true
    }
    return char
  }
}
