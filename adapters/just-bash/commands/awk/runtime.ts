import type { CommandContext } from '../shared/command.js'
import { Failure } from '../shared/failure.js'
import { hostOf, Pace } from '../shared/pace.js'
import { compileRegex, type Regex } from '../shared/regex/regex.js'
import type { Coding } from '../shared/text-io.js'
import { refuseMissing } from './analyze.js'
import { toPosix, unescaped } from './lexer.js'
import { Reader, Streams } from './streams.js'
import { AwkArray, Input, MAX_ELEMENTS, toNumber, tooMany, toText, type Value } from './values.js'

/** Special variables of the language, in the order of their slots. */
export const SPECIAL = [
  'FS',
  'OFS',
  'ORS',
  'RS',
  'NR',
  'FNR',
  'FILENAME',
  'SUBSEP',
  'RSTART',
  'RLENGTH',
  'CONVFMT',
  'OFMT',
  'ENVIRON',
  'ARGV',
  'ARGC',
  'FPAT',
] as const
const SLOT = Object.fromEntries(SPECIAL.map((name, i) => [name, i])) as Record<(typeof SPECIAL)[number], number>

/** The state of a running program: variables, record and fields. */
export class Runtime {
  readonly vars: (Value | AwkArray)[] = []
  readonly slots: Map<string, number> = new Map<string, number>(SPECIAL.map((name, i) => [name, i]))
  readonly streams: Streams
  readonly pace: Pace
  readonly coding: Coding
  readonly context: CommandContext
  returned: Value
  depth = 0
  #record = ''
  #fields: Value[] = []
  #count = 0
  /** Whether `#fields` is up to date with the record. */
  #split = true
  /** Whether `#record` is up to date with the fields. */
  #joined = true
  /** FS, FPAT and RS at the time the record was read. */
  #splitBy: readonly Value[] = [' ', '', '\n']
  #fieldsBy = { pattern: '', separator: '' }
  readonly #regexes = new Map<string, Regex>()
  #reader: Reader | undefined
  #nextArg = 1
  #anyFile = false
  #ended = false

  constructor(context: CommandContext, coding: Coding, args: readonly string[]) {
    this.context = context
    this.coding = coding
    this.streams = new Streams(context, coding)
    this.pace = new Pace(context)
    const defaults = {
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      NR: 0,
      FNR: 0,
      SUBSEP: '\x1c',
      RSTART: 0,
      RLENGTH: -1,
      CONVFMT: '%.6g',
      OFMT: '%.6g',
      FPAT: '',
    }
    for (const [name, value] of Object.entries(defaults)) this.vars[SLOT[name as 'FS']] = value
    this.vars[SLOT.ENVIRON] = new AwkArray(
      Object.entries(context.exportedEnv ?? {}).map(([name, value]) => [name, new Input(coding.argument(value))]),
    )
    this.vars[SLOT.ARGV] = new AwkArray(['awk', ...args].map((arg, i) => [String(i), new Input(coding.argument(arg))]))
    this.vars[SLOT.ARGC] = args.length + 1
  }

  slot(name: string): number {
    const known = this.slots.get(name)
    if (known !== undefined) return known
    this.slots.set(name, this.slots.size)
    return this.slots.size - 1
  }

  now(): number {
    return hostOf(this.context).now()
  }

  text(value: Value): string {
    return typeof value === 'string' ? value : toText(value, this.vars[SLOT.CONVFMT] as string)
  }

  /** Converts a value to text like `print`: numbers are formatted with OFMT. */
  shown(value: Value): string {
    return typeof value === 'number' ? toText(value, this.textOf('OFMT')) : this.text(value)
  }

  textOf(name: 'FS' | 'OFS' | 'ORS' | 'RS' | 'SUBSEP' | 'OFMT' | 'CONVFMT'): string {
    const value = this.vars[SLOT[name]] as Value
    return typeof value === 'string' ? value : this.text(value)
  }

  /** Applies an assignment from `-v name=value` or from an operand of this form. */
  assign(name: string, value: string): void {
    refuseMissing(name)
    const input = new Input(unescaped(this.coding.argument(value), this.coding.unicode))
    if (name === 'NF') this.setCount(toNumber(input))
    else this.vars[this.slot(name)] = input
  }

  regex(source: string): Regex {
    let regex = this.#regexes.get(source)
    if (!regex) {
      regex = compileRegex(toPosix(source, this.coding.unicode), { extended: true, unicode: this.coding.unicode })
      if (this.#regexes.size > 500) this.#regexes.clear()
      this.#regexes.set(source, regex)
    }
    return regex
  }

  setRecord(text: string): void {
    this.#record = text
    this.#splitBy = [this.vars[SLOT.FS] as Value, this.vars[SLOT.FPAT] as Value, this.vars[SLOT.RS] as Value]
    this.#split = false
    this.#joined = true
  }

  field(at: number): Value {
    if (at === 0) return new Input(this.#joinedRecord())
    this.#needFields()
    return this.#fields[at - 1]
  }

  record(): string {
    return this.#joinedRecord()
  }

  setField(at: number, value: Value): void {
    if (!(at >= 0) || at > MAX_ELEMENTS) throw new Failure(`attempt to access field ${at}`, 2)
    if (at === 0) {
      this.setRecord(this.text(value))
      return
    }
    this.#needFields()
    for (; this.#count < at; this.#count++) this.#fields[this.#count] = new Input('')
    this.#fields[at - 1] = typeof value === 'number' ? new Input(this.text(value)) : value
    this.#joined = false
  }

  count(): number {
    this.#needFields()
    return this.#count
  }

  setCount(count: number): void {
    if (!(count >= 0) || count > MAX_ELEMENTS) throw new Failure(`NF set to ${count}`, 2)
    this.#needFields()
    for (let i = this.#count; i < count; i++) this.#fields[i] = new Input('')
    this.#fields.length = Math.trunc(count)
    this.#count = Math.trunc(count)
    this.#joined = false
  }

  #joinedRecord(): string {
    if (!this.#joined) {
      this.#record = this.#fields.map((field) => this.text(field)).join(this.textOf('OFS'))
      this.#joined = true
    }
    return this.#record
  }

  #needFields(): void {
    if (this.#split) return
    this.#split = true
    this.#fields = this.#texts().map((text) => new Input(text))
    this.#count = this.#fields.length
  }

  /** Splits the record by FS or by FPAT, whichever was assigned last. */
  #texts(): readonly string[] {
    const [separator = '', pattern = '', records] = this.#splitBy.map((value) => this.text(value))
    if (pattern !== this.#fieldsBy.pattern) this.#fieldsBy = { pattern, separator }
    if (pattern !== '' && separator === this.#fieldsBy.separator) return this.#matches(this.#record, pattern)
    return this.splitText(this.#record, separator, records === '')
  }

  /** Returns all matches, except an empty match directly after another match. */
  #matches(text: string, pattern: string): string[] {
    const regex = this.regex(pattern)
    const parts: string[] = []
    let end = -1
    for (let at = 0; text !== '' && at <= text.length; ) {
      const found = regex.exec(text, at)
      if (!found) break
      const isEmpty = found.end === found.index
      if (!isEmpty || found.index !== end) {
        if (parts.length >= MAX_ELEMENTS) throw tooMany()
        parts.push(text.slice(found.index, found.end))
        end = found.end
      }
      at = isEmpty ? found.end + 1 : found.end
    }
    return parts
  }

  /** @param lines whether line breaks also separate fields, which is so in paragraph mode (RS is empty) */
  splitText(text: string, separator: string, lines = false): string[] {
    if (text === '') return []
    if (separator === ' ') {
      const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
      return trimmed === '' ? [] : few(trimmed.split(/[ \t\n]+/, MAX_ELEMENTS + 1))
    }
    if (separator === '') return [...few(text)]
    if (separator.length === 1 && separator !== '\\' && !lines) return few(text.split(separator, MAX_ELEMENTS + 1))
    const source = separator.length === 1 ? separator.replace(/[\\^$.*+?()[\]{}|]/, '\\$&') : separator
    return this.splitBy(text, lines ? `${source}|\n` : source)
  }

  splitBy(text: string, source: string, separators?: string[]): string[] {
    if (text === '') return []
    const regex = this.regex(source)
    const parts: string[] = []
    let done = 0
    for (let at = 0; at < text.length; ) {
      const found = regex.exec(text, at)
      if (!found) break
      if (found.end === found.index) {
        at = found.end + 1
        continue
      }
      if (parts.length >= MAX_ELEMENTS) throw tooMany()
      parts.push(text.slice(done, found.index))
      separators?.push(text.slice(found.index, found.end))
      done = found.end
      at = found.end
    }
    parts.push(text.slice(done))
    return parts
  }

  /** Returns the next record from the files of `ARGV` or from standard input, or undefined at the end of the input. */
  async nextRecord(): Promise<string | undefined> {
    for (;;) {
      if (this.#ended) return undefined
      if (!this.#reader && !(await this.#open())) {
        this.#ended = true
        return undefined
      }
      const record = this.recordFrom(this.#reader as Reader)
      if (record !== undefined) {
        this.counted()
        return record
      }
      this.#reader = undefined
    }
  }

  /** Returns the next record of the open file synchronously, or undefined if `nextRecord` must open the next file. */
  nextRecordHere(): string | undefined {
    if (!this.#reader || this.#ended) return undefined
    const record = this.recordFrom(this.#reader)
    if (record !== undefined) this.counted()
    return record
  }

  counted(): void {
    this.vars[SLOT.NR] = toNumber(this.vars[SLOT.NR] as Value) + 1
    this.vars[SLOT.FNR] = toNumber(this.vars[SLOT.FNR] as Value) + 1
  }

  skipFile(): void {
    this.#reader = undefined
  }

  recordFrom(reader: Reader): string | undefined {
    const separator = this.textOf('RS')
    if (separator.length <= 1) return reader.record(separator, undefined)
    const regex = this.regex(separator)
    return reader.record(separator, (text, from) => {
      const found = regex.exec(text, from)
      return found && found.end > found.index ? found : undefined
    })
  }

  async #open(): Promise<boolean> {
    const args = this.vars[SLOT.ARGV] as AwkArray
    while (this.#nextArg < toNumber(this.vars[SLOT.ARGC] as Value)) {
      const arg = this.text(args.get(String(this.#nextArg++)))
      if (arg === '') continue
      const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(arg)
      if (assignment) {
        this.assign(assignment[1] as string, assignment[2] as string)
        continue
      }
      this.#anyFile = true
      if (await this.#openFile(arg)) return true
    }
    if (this.#anyFile) return false
    this.#anyFile = true
    return this.#openFile('-')
  }

  async #openFile(name: string): Promise<boolean> {
    const reader = await this.streams.readerOfFile(name === '-' ? '/dev/stdin' : name)
    if (!reader) {
      if (await this.streams.isDirectory(name)) this.streams.complain(`warning: command line argument \`${name}' is a directory: skipped`)
      return false
    }
    // Create a new reader, because the same file may be named twice.
    this.#reader = new Reader(reader.text)
    if (name === '-') reader.at = reader.text.length
    this.vars[SLOT.FILENAME] = name === '-' ? '' : name
    this.vars[SLOT.FNR] = 0
    return true
  }
}

/** @throws {Failure} if there are more than `MAX_ELEMENTS` parts */
function few<Parts extends { readonly length: number }>(parts: Parts): Parts {
  if (parts.length > MAX_ELEMENTS) throw tooMany()
  return parts
}
