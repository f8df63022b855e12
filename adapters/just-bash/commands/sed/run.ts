import { Failure, TooLarge } from '../shared/failure.js'
import type { Pace } from '../shared/pace.js'
import type { Regex } from '../shared/regex/regex.js'
import type { SedInput, SedOutput } from './input.js'
import { Listing } from './listed.js'
import type { Address, Program, SedCommand } from './program.js'
import { Substituting } from './substitute.js'

export interface SedSurroundings {
  readonly quiet: boolean
  /** Line length for the `l` command (`-l`). */
  readonly listWidth: number | undefined
  readonly end: string
  readonly pace: Pace
  /** Encodes a text with one character per byte. */
  encode(text: string): string
  /** Returns the output for a file that the program writes. */
  file(name: string): SedOutput
  /** Reads a file for the `r` command. Resolves to undefined if the file cannot be read. */
  read(name: string): Promise<string | undefined>
  /** Reads the next line of a file for the `R` command. Resolves to undefined at the end of the file. */
  readLine(name: string): Promise<string | undefined>
}

type Appended = { readonly text: string } | { readonly file: string } | { readonly line: string }

/** Number of characters that `y` and `l` process between two checks whether to yield to the event loop. */
const PIECE = 16_384
/** Number of replacements between two checks whether to yield to the event loop. */
const MATCHES = 2000
/** Maximum number of characters in the pattern space and the hold space together. */
const MAX_SPACE = 64 * 1024 * 1024
/** Maximum number of commands per cycle, because a cycle may loop forever. */
const MAX_TURNS = 100_000_000

/** Runs a sed program. Each call of `run` reads all files, or with `-s` one file. Each call resets the ranges. */
export class SedRun {
  /** The hold space, which is kept across files. */
  hold = ''
  /** Exit status of `q` or `Q`. When set, no more input is read. */
  exitCode: number | undefined
  readonly #program: Program
  readonly #around: SedSurroundings
  #input!: SedInput
  #out!: SedOutput
  #space = ''
  /** Whether the line in the pattern space had no line break at its end. `#holdUnended`: the same for the hold space. */
  #unended = false
  #holdUnended = false
  #appended: Appended[] = []
  /** Maps a command with an active range to the last line of the range, or to infinity if a regex or `$` ends the range. */
  #ranges = new Map<SedCommand, number>()
  /** Commands whose range has ended. A range that starts at a line number does not start again. */
  #closed = new Set<SedCommand>()
  #lastRegex: Regex | undefined
  #replaced = false

  constructor(program: Program, around: SedSurroundings) {
    this.#program = program
    this.#around = around
  }

  async run(input: SedInput, out: SedOutput): Promise<void> {
    this.#input = input
    this.#out = out
    this.#closed = new Set()
    // `0,/x/` is active before the first line.
    const begun = this.#program.commands.filter(({ first }) => first?.kind === 'line' && first.line === 0)
    this.#ranges = new Map(begun.map((command) => [command, Number.POSITIVE_INFINITY]))
    let keep = false
    while (this.exitCode === undefined) {
      if (!keep) {
        const line = input.next()
        if (line === undefined) return
        this.#take(line)
        this.#replaced = false
      }
      await this.#around.pace.turn(2 + (this.#space.length >> 6))
      const ended = await this.#cycle()
      keep = ended === 'again'
      if (ended !== 'delete' && !keep && !this.#around.quiet && ended !== 'quit') out.line(this.#space, this.#unended)
      await this.#flush()
    }
  }

  /** Runs one cycle. `delete`: print nothing; `again`: repeat without reading a line; `quit`: print nothing and stop reading. */
  async #cycle(): Promise<'end' | 'delete' | 'again' | 'quit'> {
    const { commands } = this.#program
    const { end } = this.#around
    let turns = 0
    let steps = 0
    for (let at = 0; at < commands.length; at++) {
      const command = commands[at] as SedCommand
      const size = this.#space.length + this.hold.length
      if (size > MAX_SPACE) throw tooLong()
      steps += 1 + (this.#space.length >> 8)
      if (steps >= 256) {
        await this.#around.pace.turn(steps >> 2)
        steps = 0
      }
      if (++turns > MAX_TURNS) throw new Failure('a line takes too many steps')
      const chosen = command.first === undefined || this.#selects(command) !== command.negated
      const taken = command.first === undefined ? !command.negated : chosen
      if (!taken) {
        if (command.name === '{') at = command.target - 1
        continue
      }
      switch (command.name) {
        case '{':
          break
        case 's':
          await this.#substitute(command)
          break
        case 'p':
          this.#out.line(this.#space, this.#unended)
          break
        case 'd':
          return 'delete'
        case 'D': {
          const stop = this.#space.indexOf(end)
          if (stop < 0) return 'delete'
          this.#space = this.#space.slice(stop + 1)
          return 'again'
        }
        case 'P':
          this.#firstLine(this.#out)
          break
        case 'n':
          if (!(await this.#nextLine())) return this.#around.quiet ? 'quit' : 'end'
          break
        case 'N': {
          const before = this.#space
          if (this.#input.isLast()) return 'end'
          await this.#flush()
          this.#take(this.#input.next() ?? '')
          this.#space = `${before}${end}${this.#space}`
          break
        }
        case 'g':
          this.#space = this.hold
          this.#unended = this.#holdUnended
          break
        case 'G':
          this.#space += end + this.hold
          this.#unended = this.#holdUnended
          break
        case 'h':
          this.hold = this.#space
          this.#holdUnended = this.#unended
          break
        case 'H':
          this.hold += end + this.#space
          this.#holdUnended = this.#unended
          break
        case 'x':
          ;[this.hold, this.#space] = [this.#space, this.hold]
          ;[this.#holdUnended, this.#unended] = [this.#unended, this.#holdUnended]
          break
        case 'a':
          this.#appended.push({ text: command.text })
          break
        case 'i':
          this.#out.raw(this.#text(command))
          break
        case 'c':
          if (command.second === undefined || command.negated || !this.#ranges.has(command)) this.#out.raw(this.#text(command))
          return 'delete'
        case '=':
          this.#out.raw(`${this.#input.line}${end}`)
          break
        case 'F':
          this.#out.raw(`${this.#input.name}${end}`)
          break
        case 'l':
          await this.#list(command.number)
          break
        case 'r':
          this.#appended.push({ file: command.text })
          break
        case 'R': {
          const line = await this.#around.readLine(command.text)
          if (line !== undefined) this.#appended.push({ line })
          break
        }
        case 'w':
          this.#fileOf(command.text).line(this.#space, this.#unended)
          break
        case 'W':
          this.#firstLine(this.#fileOf(command.text))
          break
        case 'y':
          await this.#translate(command.map)
          break
        case 'z':
          this.#space = ''
          break
        case 'b':
          at = command.target - 1
          break
        case 't':
        case 'T': {
          const jump = this.#replaced === (command.name === 't')
          this.#replaced = false
          if (jump) at = command.target - 1
          break
        }
        case 'q':
          this.exitCode = command.number ?? 0
          this.#unended = false
          return 'end'
        case 'Q':
          this.#appended = []
          this.exitCode = command.number ?? 0
          return 'quit'
        default:
          throw new Failure(`unknown command: \`${command.name}'`)
      }
    }
    return 'end'
  }

  #fileOf(name: string): SedOutput {
    return name === '/dev/stdout' ? this.#out : this.#around.file(name)
  }

  async #nextLine(): Promise<boolean> {
    // Like GNU, `n` on the last line ends the program, so that the line is printed only once.
    if (this.#input.isLast()) return false
    if (!this.#around.quiet) this.#out.line(this.#space, this.#unended)
    await this.#flush()
    this.#take(this.#input.next() ?? '')
    return true
  }

  async #substitute({ substitution }: SedCommand): Promise<void> {
    if (!substitution) return
    const regex = this.#regexOf(substitution.regex)
    const work = new Substituting(this.#space, regex, substitution)
    while (work.more(MATCHES)) {
      if (work.length > MAX_SPACE) throw tooLong()
      await this.#around.pace.turn(MATCHES)
    }
    if (work.length > MAX_SPACE) throw tooLong()
    const changed = work.result
    if (changed === undefined) return
    this.#space = changed
    this.#replaced = true
    if (substitution.print) this.#out.line(changed, this.#unended)
    if (substitution.file !== undefined) this.#fileOf(substitution.file).line(changed, this.#unended)
  }

  #take(line: string): void {
    this.#space = line
    this.#unended = this.#input.unended
  }

  /** Returns the text of `i` and `c`, which ends with the line separator. The text of `a` always ends with a line break. */
  #text({ text }: SedCommand): string {
    return text === '' ? '' : text.slice(0, -1) + this.#around.end
  }

  #firstLine(out: SedOutput): void {
    const stop = this.#space.indexOf(this.#around.end)
    if (stop < 0) out.line(this.#space, this.#unended)
    else out.line(this.#space.slice(0, stop))
  }

  async #translate(map: SedCommand['map']): Promise<void> {
    const parts: string[] = []
    for (const piece of pieces(this.#space)) {
      parts.push(Array.from(piece, (char) => map?.get(char) ?? char).join(''))
      await this.#around.pace.turn(piece.length >> 3)
    }
    this.#space = parts.join('')
  }

  async #list(width: number | undefined): Promise<void> {
    const listing = new Listing(width ?? this.#around.listWidth)
    for (const piece of pieces(this.#space)) {
      this.#out.raw(listing.of(this.#around.encode(piece)))
      await this.#around.pace.turn(piece.length >> 2)
    }
    this.#out.raw(`$${this.#around.end}`)
  }

  #regexOf(regex: Regex | undefined): Regex {
    this.#lastRegex = regex ?? this.#lastRegex
    if (!this.#lastRegex) throw new Failure('no previous regular expression')
    return this.#lastRegex
  }

  #selects(command: SedCommand): boolean {
    const { first, second } = command
    if (!first) return true
    if (!second) return this.#isAt(first)
    const end = this.#ranges.get(command)
    return end === undefined ? this.#begins(command, first, second) : this.#goesOn(command, second, end)
  }

  /** Whether a range starts at the current line. Earlier `n` and `N` commands may have skipped the first or the last line of the range. */
  #begins(command: SedCommand, first: Address, second: Address): boolean {
    const { line } = this.#input
    if (first.kind === 'line') {
      if (this.#closed.has(command) || line < first.line) return false
      if (second.kind === 'line' && line > second.line) return line === first.line
    } else if (!this.#isAt(first)) return false
    const end = this.#endOf(second, line)
    if (end > line) this.#ranges.set(command, end)
    else this.#closed.add(command)
    return true
  }

  #goesOn(command: SedCommand, second: Address, end: number): boolean {
    const { line } = this.#input
    if (end === Number.POSITIVE_INFINITY ? this.#isAt(second) : line >= end) {
      this.#ranges.delete(command)
      this.#closed.add(command)
    }
    return second.kind !== 'line' || line <= end
  }

  /** Returns the last line of a range, or infinity if it is not known in advance. */
  #endOf(second: Address, line: number): number {
    switch (second.kind) {
      case 'line':
        return second.line
      case 'plus':
        return line + second.lines
      case 'multiple':
        return second.of === 0 ? line : line + second.of - (line % second.of)
      default:
        return second.kind === 'last' && this.#input.isLast() ? line : Number.POSITIVE_INFINITY
    }
  }

  #isAt(address: Address): boolean {
    switch (address.kind) {
      case 'line':
        return this.#input.line === address.line
      case 'last':
        return this.#input.isLast()
      case 'step': {
        const { first, step } = address
        return this.#input.line >= first && (this.#input.line - first) % step === 0
      }
      case 'match':
        return this.#regexOf(address.regex).test(this.#space)
      default:
        return false
    }
  }

  async #flush(): Promise<void> {
    const appended = this.#appended
    if (appended.length === 0) return
    this.#appended = []
    for (const each of appended) {
      if ('text' in each) this.#out.raw(each.text)
      else if ('line' in each) this.#out.line(each.line)
      else {
        const text = await this.#around.read(each.file)
        if (text) this.#out.raw(text)
      }
    }
  }
}

const tooLong = (): TooLarge =>
  new TooLarge(`a pattern space and a hold space of more than ${MAX_SPACE} characters: work on fewer lines at once, or use awk`)

/** Yields pieces of `PIECE` characters. Does not cut surrogate pairs. */
function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const stop = Math.min(text.length, at + PIECE)
    const end = isLead(text.charCodeAt(stop - 1)) && stop < text.length ? stop + 1 : stop
    yield text.slice(at, end)
    at = end
  }
}

const isLead = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
