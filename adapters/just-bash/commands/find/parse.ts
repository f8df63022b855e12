import type { CommandContext } from '../shared/command.js'
import { Failure, optionsLine } from '../shared/failure.js'
import { hostOf } from '../shared/pace.js'
import { ACTIONS } from './actions.js'
import { both, buildExpression, type Test, type Token } from './expression.js'
import { Launcher } from './launch.js'
import { OPTIONS } from './options.js'
import type { Output } from './output.js'
import { Arguments, REFUSED, type Reader, type Reading } from './reading.js'
import { DEFAULT_TYPE } from './regex.js'
import { TESTS } from './tests.js'
import type { WalkOptions } from './walk.js'

const OPERATORS: Readonly<Record<string, Exclude<Token['kind'], 'test'>>> = {
  '!': 'not',
  '-not': 'not',
  '(': 'open',
  ')': 'close',
  '-a': 'and',
  '-and': 'and',
  '-o': 'or',
  '-or': 'or',
  ',': 'list',
}

export interface Parsed {
  readonly starts: readonly string[]
  readonly test: Test
  readonly options: WalkOptions
  readonly launcher: Launcher
}

/** @throws {Failure} with GNU's message */
export async function parse(args: readonly string[], context: CommandContext, output: Output): Promise<Parsed> {
  const reading: Reading = {
    context,
    output,
    launcher: new Launcher(context, output),
    options: { following: 'never', minDepth: 0, maxDepth: Number.POSITIVE_INFINITY, depthFirst: false },
    now: hostOf(context).now(),
    regexType: DEFAULT_TYPE,
    dayEnd: undefined,
    warns: false,
    hasAction: false,
    deletes: false,
    prunes: false,
    asksDepth: false,
    first: undefined,
  }
  let at = leadingOptions(args, reading)
  const starts: string[] = []
  while (at < args.length && !isExpression(args[at] as string, true)) starts.push(args[at++] as string)
  const tokens = await readTokens(args, at, reading)
  if (reading.deletes && reading.prunes && !reading.asksDepth)
    throw new Failure(
      'The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  ' +
        'If you want to carry on anyway, just explicitly use the -depth option.',
    )
  const print: Test = (entry) => {
    output.write(`${entry.name}\n`)
    return true
  }
  const expression = tokens.length === 0 ? undefined : buildExpression(tokens)
  const test = !expression ? print : reading.hasAction ? expression : both(expression, print)
  return { starts: starts.length === 0 ? ['.'] : starts, test, options: reading.options, launcher: reading.launcher }
}

/** Reads the options before the starting points. Returns the index after them. */
function leadingOptions(args: readonly string[], { options }: Reading): number {
  const following = { '-H': 'start', '-L': 'always', '-P': 'never' } as const
  for (let at = 0; ; at++) {
    const arg = args[at]
    if (arg === undefined) return at
    if (arg === '--') return at + 1
    if (arg in following) options.following = following[arg as keyof typeof following]
    else if (arg.startsWith('-O')) {
      if (arg === '-O') throw new Failure('The -O option must be immediately followed by a decimal integer')
      if (!/^-O\d+$/.test(arg)) throw new Failure('Please specify a decimal number immediately after -O')
    } else if (arg === '-D') throw new Failure('-D is not supported in this shell: there is no debug output. Leave it out.')
    else return at
  }
}

/** Whether a word belongs to the expression. `atFront`: before the expression, where `)` and `,` are file names. */
function isExpression(word: string, atFront: boolean): boolean {
  if (word.startsWith('-')) return word.length > 1
  if (word === ')' || word === ',') return !atFront
  return word === '(' || word === '!'
}

async function readTokens(args: readonly string[], from: number, reading: Reading): Promise<Token[]> {
  const tokens: Token[] = []
  let last: string | undefined
  for (let at = from; at < args.length; ) {
    const word = args[at] as string
    const operator = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined
    if (operator) {
      last = word
      tokens.push({ kind: operator, word })
      at++
      continue
    }
    if (!isExpression(word, false)) throw await misplaced(word, last, reading)
    const next = new Arguments(args, at + 1)
    tokens.push({ kind: 'test', test: await readPrimary(word, next, reading) })
    last = word
    at = next.at
  }
  return tokens
}

async function readPrimary(word: string, next: Arguments, reading: Reading): Promise<Test> {
  const option = Object.hasOwn(OPTIONS, word) ? OPTIONS[word] : undefined
  if (option) {
    if (reading.warns && option.isGlobal && reading.first !== undefined)
      reading.output.warn(
        `you have specified the global option ${word} after the argument ${reading.first}, but global options are not positional, ` +
          `i.e., ${word} affects tests specified before it as well as those specified after it.  Please specify global options before other arguments.`,
      )
    await option.read(reading, next, word)
    return () => true
  }
  const reader = Object.hasOwn(TESTS, word) ? TESTS[word] : Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : newerReader(word)
  if (!reader) throw new Failure(`unknown predicate \`${word}'\n${optionsLine(PREDICATES)}`.trimEnd())
  reading.first ??= word
  return reader(reading, next, word)
}

/** The supported options, tests and actions. */
export const PREDICATES: readonly string[] = [
  ...['-H', '-L', '-P', ...Object.keys(OPERATORS).filter((name) => name.startsWith('-')), ...Object.keys(OPTIONS)],
  ...[...Object.entries(TESTS), ...Object.entries(ACTIONS)].flatMap(([name, reader]) => (REFUSED.has(reader) ? [] : [name])),
].sort()

const newerReader = (word: string): Reader | undefined => (/^-newer../.test(word) ? TESTS['-newerXY'] : undefined)

/** Returns the error for a path after the expression. It suggests quoting if the shell may have expanded a pattern. */
async function misplaced(word: string, before: string | undefined, { context }: Reading): Promise<Failure> {
  const message = `paths must precede expression: \`${word}'`
  const exists = await context.fs.lstat(context.fs.resolvePath(context.cwd, word)).then(
    () => true,
    () => false,
  )
  return new Failure(exists && before !== undefined ? `${message}\nfind: possible unquoted pattern after predicate \`${before}'?` : message)
}
