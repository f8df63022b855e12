import { Failure } from '../../failure.js'
import type { Pace } from '../../pace.js'
import type { Regex } from '../regex/regex.js'
import type { SedInput, SedOutput } from './input.js'
import { listed } from './listed.js'
import type { Address, Program, SedCommand } from './program.js'
import { substitute } from './substitute.js'

export interface SedSurroundings {
  readonly quiet: boolean
  readonly end: string
  readonly pace: Pace
  /** The output for a file that the program writes. */
  file(name: string): SedOutput
  /** The text of a file that it reads; undefined for one that cannot be read. */
  read(name: string): Promise<string | undefined>
  /** The next line of a file that it reads line by line. */
  readLine(name: string): Promise<string | undefined>
}

type Appended = { readonly text: string } | { readonly file: string } | { readonly line: string }

/** Turns of one cycle, which may be without an end. */
const MAX_TURNS = 100_000_000

/** Runs a program over the lines of its input. Its state is that of one run: of all files, or with `-s` of each. */
export class SedRun {
  /** What stays from file to file. */
  hold = ''
  /** Set by `q` and `Q`: nothing more is read. */
  exitCode: number | undefined
  readonly #program: Program
  readonly #around: SedSurroundings
  #input!: SedInput
  #out!: SedOutput
  #space = ''
  #appended: Appended[] = []
  /** Lines where a range that a command is in ends: a number, or an expression that is to match. */
  #ranges = new Map<SedCommand, number>()
  #lastRegex: Regex | undefined
  #replaced = false

  constructor(program: Program, around: SedSurroundings) {
    this.#program = program
    this.#around = around
  }

  async run(input: SedInput, out: SedOutput): Promise<void> {
    this.#input = input
    this.#out = out
    this.#ranges = new Map()
    let keep = false
    while (this.exitCode === undefined) {
      if (!keep) {
        const line = input.next()
        if (line === undefined) return
        this.#space = line
        this.#replaced = false
      }
      await this.#around.pace.turn(2 + (this.#space.length >> 6))
      const ended = await this.#cycle()
      keep = ended === 'again'
      if (ended !== 'delete' && !keep && !this.#around.quiet && ended !== 'quit') out.line(this.#space, input.unended)
      await this.#flush()
    }
  }

  /** `end`: as it should; `delete`: nothing is printed; `again`: without reading a line; `quit`: nothing is printed, and nothing more read. */
  async #cycle(): Promise<'end' | 'delete' | 'again' | 'quit'> {
    const { commands } = this.#program
    let turns = 0
    for (let at = 0; at < commands.length; at++) {
      const command = commands[at] as SedCommand
      if (++turns % 4096 === 0) {
        await this.#around.pace.turn(1000)
        if (turns > MAX_TURNS) throw new Failure('a line takes too many steps')
      }
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
          this.#out.line(this.#space, this.#input.unended)
          break
        case 'd':
          return 'delete'
        case 'D': {
          const end = this.#space.indexOf('\n')
          if (end < 0) return 'delete'
          this.#space = this.#space.slice(end + 1)
          return 'again'
        }
        case 'P':
          this.#out.line(this.#space.split('\n', 1)[0] as string)
          break
        case 'n':
          if (!(await this.#nextLine())) return this.#around.quiet ? 'quit' : 'end'
          break
        case 'N': {
          const before = this.#space
          if (this.#input.isLast()) return 'end'
          await this.#flush()
          this.#space = `${before}\n${this.#input.next() ?? ''}`
          break
        }
        case 'g':
          this.#space = this.hold
          break
        case 'G':
          this.#space += `\n${this.hold}`
          break
        case 'h':
          this.hold = this.#space
          break
        case 'H':
          this.hold += `\n${this.#space}`
          break
        case 'x':
          ;[this.hold, this.#space] = [this.#space, this.hold]
          break
        case 'a':
          this.#appended.push({ text: command.text })
          break
        case 'i':
          this.#out.raw(command.text)
          break
        case 'c':
          if (command.second === undefined || command.negated || !this.#ranges.has(command)) this.#out.raw(command.text)
          return 'delete'
        case '=':
          this.#out.raw(`${this.#input.line}\n`)
          break
        case 'F':
          this.#out.raw(`${this.#input.name}\n`)
          break
        case 'l':
          this.#out.raw(listed(this.#space, command.number))
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
          this.#fileOf(command.text).line(this.#space, this.#input.unended)
          break
        case 'W':
          this.#fileOf(command.text).line(this.#space.split('\n', 1)[0] as string)
          break
        case 'y':
          this.#space = Array.from(this.#space, (char) => command.map?.get(char) ?? char).join('')
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
          return 'end'
        case 'Q':
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
    // As GNU does: the rest of the program is not run, and the line is printed once.
    if (this.#input.isLast()) return false
    if (!this.#around.quiet) this.#out.line(this.#space, this.#input.unended)
    await this.#flush()
    this.#space = this.#input.next() ?? ''
    return true
  }

  async #substitute({ substitution }: SedCommand): Promise<void> {
    if (!substitution) return
    const regex = this.#regexOf(substitution.regex)
    const changed = substitute(this.#space, regex, substitution)
    if (changed === undefined) return
    this.#space = changed
    this.#replaced = true
    if (substitution.print) this.#out.line(changed, this.#input.unended)
    if (substitution.file !== undefined) this.#fileOf(substitution.file).line(changed, this.#input.unended)
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
    const { line } = this.#input
    const end = this.#ranges.get(command)
    if (end === undefined) {
      if (first.kind === 'line' && first.line === 0) {
        // From before the first line: it may end at that line already.
        if (line > 1 || this.#isAt(second)) return line === 1
        this.#ranges.set(command, Number.POSITIVE_INFINITY)
        return true
      }
      if (!this.#isAt(first)) return false
      const last = this.#endOf(second, line)
      if (last > line) this.#ranges.set(command, last)
      return true
    }
    if (end === Number.POSITIVE_INFINITY ? this.#isAt(second) : line >= end) this.#ranges.delete(command)
    // Lines may have been read past it.
    return end === Number.POSITIVE_INFINITY || line <= end || this.#isAt(first)
  }

  /** The line that a range ends with; infinity where that is to be seen. */
  #endOf(second: Address, line: number): number {
    switch (second.kind) {
      case 'line':
        return second.line
      case 'plus':
        return line + second.lines
      case 'multiple':
        return second.of === 0 ? line : Math.ceil(line / second.of) * second.of
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
        return step === 0 ? this.#input.line === first : this.#input.line >= first && (this.#input.line - first) % step === 0
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
