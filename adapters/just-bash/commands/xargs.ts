import { CONTROL_ESCAPES } from '../control-escapes.js'
import { printedBytes } from '../process/results.js'
import { lineBatches, Printout } from './shared/bulk.js'
import { textOf } from './shared/bytes.js'
import { type CommandContext, failed, missingWords, type OwnCommand, type OwnResult, passing } from './shared/command.js'
import { command, Failure, TooLarge } from './shared/failure.js'
import { told } from './shared/files.js'
import { type Given, parseOptions } from './shared/options.js'
import { Pace } from './shared/pace.js'
import { portOf } from './shared/port.js'
import { quotedWord } from './shared/quoted-word.js'
import { bytesNamed, Report } from './shared/text-io.js'

const OPTIONS =
  '0|null a|arg-file= d|delimiter= E|eof= e=? I= i|replace=? L= l|max-lines=? n|max-args= P|max-procs= r|no-run-if-empty s|max-chars= ' +
  't|verbose x|exit p|interactive! o|open-tty show-limits process-slot-var='
const ESCAPES: Readonly<Record<string, string>> = { ...CONTROL_ESCAPES, '0': '\0' }
/** Default of `-s`, as in findutils. */
const MAX_CHARS = 131_072

export const xargsCommand: OwnCommand = command('xargs', { usage: 'xargs [OPTION]... COMMAND [INITIAL-ARGS]...' }, run)

async function run(args: readonly string[], context: CommandContext): Promise<OwnResult> {
  const given = parseOptions('xargs', args, OPTIONS, { stopAtOperand: true })
  if (given.has('p')) throw new Failure('-p is not supported in this shell: nobody can answer its prompts')
  const words = given.operands.length === 0 ? ['echo'] : [...given.operands]
  const file = given.value('a')
  const data = await (file === undefined ? bytesNamed(context, '-') : told(file, () => bytesNamed(context, file)))
  const items = await itemsOf(textOf(data), given, context)
  const out = new Printout(context)
  const report = new Report('xargs', out)
  const port = portOf(context)
  const say = async (text: string): Promise<void> => (port ? port.print(failed(text)) : report.say(text))
  for (const call of callsOf(words, items, given)) {
    if (given.has('t')) await say(`${call.map(quotedWord).join(' ')}\n`)
    const [name = '', ...rest] = call
    const { exec, cwd, exportedEnv, signal } = context
    if (!exec) throw new Failure('this shell cannot run commands')
    const options = { cwd, env: { ...exportedEnv }, stdin: '', args: rest, ...(signal && { signal }) }
    const result = await passing(
      context,
      () => exec(quotedWord(name), options),
      (failure) => missingWords(failure, `xargs: ${name}: No such file or directory\n`),
    )
    out.put(printedBytes(result))
    report.say(result.stderr)
    if (result.exitCode === 255) {
      report.fail(`${name}: exited with status 255; aborting`, 124)
      break
    }
    if (result.exitCode === 126 || result.exitCode === 127) {
      report.status = result.exitCode
      break
    }
    if (result.exitCode !== 0) report.status = Math.max(report.status, 123)
  }
  if (items.unmatched !== undefined) {
    await say(`xargs: unmatched ${items.unmatched} quote; by default quotes are special to xargs unless you use the -0 option\n`)
    report.status ||= 1
  }
  return report.result(out.text())
}

interface Items {
  /** The items of each line. */
  readonly lines: string[][]
  /** Set if a quote is unmatched (`single` or `double`). The items before this quote are still used. */
  readonly unmatched?: string | undefined
}

async function itemsOf(data: string, given: Given, context: CommandContext): Promise<Items> {
  const mode = given.last('0', 'd')
  if (mode !== undefined) {
    const end = mode === '0' ? '\0' : delimiterOf(given.value('d') ?? '')
    const items: string[][] = []
    for await (const batch of lineBatches(context, data, end)) for (const item of batch) items.push([item])
    checkCount(items.length)
    return { lines: items }
  }
  const replacing = modeOf(given)
  if (replacing === 'I' || replacing === 'i') {
    const items: string[][] = []
    for await (const batch of lineBatches(context, data))
      for (const line of batch) {
        const quote = /["']/.exec(line.replace(QUOTED, ''))?.[0]
        if (quote !== undefined) return { lines: items, unmatched: KINDS[quote] }
        if (line.trim() !== '') items.push([unquoted(line.replace(/^[ \t]+/, ''))])
      }
    checkCount(items.length)
    return { lines: items }
  }
  const eof = given.value('E') ?? given.value('e')
  return wordsByLine(data, { eof: eof || undefined, byLines: replacing === 'L' || replacing === 'l' }, new Pace(context))
}

const KINDS: Readonly<Record<string, string>> = { '"': 'double', "'": 'single' }

function delimiterOf(text: string): string {
  const found = /^\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))$/.exec(text)
  if (!found) {
    if ([...text].length !== 1)
      throw new Failure(
        `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
      )
    return text
  }
  const [, hex, octal, char] = found
  if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
  return octal && octal !== '0' ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[char ?? '0'] ?? (char as string))
}

/** Maximum number of items. Without `-0`, `-d` and `-I`, line breaks and runs of blanks count too. */
const MAX_ITEMS = 6_000_000

function checkCount(count: number): void {
  if (count > MAX_ITEMS) throw new TooLarge(`more than ${MAX_ITEMS} items at once: work on the input in parts, for example with split`)
}

/** Splits the input into words, grouped by line. A trailing blank joins a line with the next one. */
async function wordsByLine(
  data: string,
  { eof, byLines }: { readonly eof: string | undefined; readonly byLines: boolean },
  pace: Pace,
): Promise<Items> {
  const lines: string[][] = [[]]
  const tokens = /(\n)|([ \t\r\f\v]+)|((?:"[^"\n]*"|'[^'\n]*'|\\[\s\S]?|[^\s"'\\]+)+|(?=["']))(["']?)/g
  let count = 0
  let joins = false
  let unmatched: string | undefined
  for (const [, newline, blank, word, quote] of data.matchAll(tokens)) {
    if (++count % 1024 === 0) {
      checkCount(count)
      await pace.turn(500)
    }
    if (quote) {
      unmatched = KINDS[quote]
      break
    }
    if (blank !== undefined) joins = true
    else if (newline !== undefined) {
      if (!joins && lines.at(-1)?.length) lines.push([])
    } else if (word !== undefined) {
      if (eof === unquoted(word)) break
      lines.at(-1)?.push(unquoted(word))
      joins = false
    }
  }
  // Drop an empty last line. With `-L`, also drop a line with an unmatched quote.
  if (lines.at(-1)?.length === 0 || (byLines && unmatched !== undefined)) lines.pop()
  return { lines, unmatched }
}

const QUOTED = /"([^"\n]*)"|'([^'\n]*)'|\\([\s\S]?)/g

const unquoted = (word: string): string =>
  word.replace(QUOTED, (_, double?: string, single?: string, char?: string) => double ?? single ?? char ?? '')

/** Returns which of the exclusive options is given last. `-I` implies `-n1`, so an explicit `-n1` does not override `-I`. */
const modeOf = (given: Given): string | undefined =>
  given.value('n') === '1' && given.last('I', 'i') ? given.last('I', 'i', 'L', 'l') : given.last('I', 'i', 'L', 'l', 'n')

function* callsOf(words: readonly string[], { lines, unmatched }: Items, given: Given): Generator<string[]> {
  const replacing = modeOf(given)
  if (replacing === 'I' || replacing === 'i') {
    const mark = given.value(replacing) ?? '{}'
    for (const [item = ''] of lines) yield words.map((word, i) => (i === 0 ? word : word.replaceAll(mark, item)))
    return
  }
  const byLines = replacing === 'L' || replacing === 'l'
  const most = replacing === undefined ? Number.POSITIVE_INFINITY : count(given.value(replacing) ?? '1', replacing)
  const maxChars = given.has('s') ? count(given.value('s') ?? '', 's') : MAX_CHARS
  const base = words.reduce((sum, word) => sum + word.length + 1, 0)
  if (lines.length === 0) {
    if (!given.has('r') && unmatched === undefined) yield [...words]
    return
  }
  let call: string[] = []
  let [taken, chars] = [0, base]
  for (const group of byLines ? lines : singly(lines)) {
    const size = group.reduce((sum, item) => sum + item.length + 1, 0)
    if (base + size > maxChars && given.has('s')) throw new Failure('argument line too long')
    if (taken > 0 && (taken >= most || chars + size > maxChars)) {
      yield [...words, ...call]
      call = []
      taken = 0
      chars = base
    }
    for (const item of group) call.push(item)
    taken++
    chars += size
  }
  // With `-L` or `-x`, an incomplete last call does not run if a quote is unmatched.
  if (unmatched === undefined || taken === most || !(byLines || given.has('x'))) yield [...words, ...call]
}

function* singly(lines: readonly string[][]): Generator<string[]> {
  for (const line of lines) for (const item of line) yield [item]
}

function count(text: string, option: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text)) throw new Failure(`invalid number "${text}" for -${option} option`)
  if (value < 1) throw new Failure(`value ${text} for -${option} option should be >= 1`)
  return value
}
