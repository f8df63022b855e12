import { parseArgs } from 'node:util'
import { closestNames } from '../../core/closest-names.js'
import { APPROVALS, ENGINES, FORMATS, SHELLS } from './names.js'
import { type CommandLine, UsageError } from './options.js'

export const OPTIONS = {
  root: { type: 'string', multiple: true },
  http: { type: 'boolean', default: false },
  port: { type: 'string' },
  'no-token': { type: 'boolean', default: false },
  compact: { type: 'boolean', default: false },
  tools: { type: 'string' },
  'no-checkpoints': { type: 'boolean', default: false },
  memory: { type: 'boolean', default: false },
  'root-from-client': { type: 'boolean', default: false },
  seed: { type: 'string' },
  'read-only': { type: 'boolean', default: false },
  'no-read-only': { type: 'boolean', default: false },
  shell: { type: 'string' },
  js: { type: 'string' },
  registry: { type: 'string' },
  preset: { type: 'string' },
  config: { type: 'string' },
  'no-config': { type: 'boolean', default: false },
  trust: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  format: { type: 'string' },
  strict: { type: 'boolean', default: false },
  parallel: { type: 'string' },
  bail: { type: 'boolean', default: false },
  filter: { type: 'string' },
  timeout: { type: 'string' },
  approve: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', short: 'V', default: false },
} as const

type Values = ReturnType<typeof parse>['values']

/** Options that only some commands support, with these commands. Other commands reject the option. */
const ONLY_FOR: readonly (readonly [keyof Values, ...string[]])[] = [
  ['format', 'tools'],
  ['strict', 'tools'],
  ['parallel', 'run', 'eval'],
  ['filter', 'eval'],
  ['bail', 'run'],
  ['root-from-client', 'mcp'],
  ['http', 'mcp'],
  ['port', 'mcp'],
  ['no-token', 'mcp'],
  ['compact', 'mcp'],
  ['tools', 'mcp'],
  ['no-checkpoints', 'mcp'],
  ['timeout', 'call', 'run', 'mcp'],
  ['approve', 'call', 'run', 'mcp'],
]

const PAIRS: readonly (readonly [keyof Values, keyof Values, string?])[] = [
  ['root', 'memory'],
  ['root', 'root-from-client'],
  ['memory', 'root-from-client'],
  ['read-only', 'no-read-only'],
  ['http', 'root-from-client'],
  ['config', 'no-config'],
  ['format', 'json', ': --format prints JSON already'],
]

const MOST_PARALLEL = 64
/** Maximum delay of a timer in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/** Parses the command line. @throws {UsageError} for errors that do not depend on the configuration file */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { values, positionals } = parse(argv)
  const [command, ...operands] = positionals
  checkNotEmpty(values)
  checkPairs(values)
  checkCommand(values, command)
  return {
    command,
    operands,
    root: values.root?.[0],
    roots: values.root ?? [],
    http: values.http,
    port: wholeNumber('--port', values.port, 65_535),
    noToken: values['no-token'],
    compact: values.compact,
    offer: values.tools?.split(',').map((name) => name.trim()),
    noCheckpoints: values['no-checkpoints'],
    memory: values.memory,
    rootFromClient: values['root-from-client'],
    seed: values.seed,
    readOnly: values['read-only'] || (values['no-read-only'] ? false : undefined),
    shell: oneOf(SHELLS, values.shell, 'shell'),
    js: oneOf(ENGINES, values.js, 'JavaScript engine'),
    registry: values.registry,
    preset: values.preset,
    config: values.config,
    noConfig: values['no-config'],
    trust: values.trust,
    json: values.json,
    format: oneOf(FORMATS, values.format, 'format'),
    strict: values.strict,
    parallel: wholeNumber('--parallel', values.parallel, MOST_PARALLEL),
    bail: values.bail,
    filter: values.filter,
    timeoutMs: wholeNumber('--timeout', values.timeout, LONGEST_MS),
    approve: oneOf(APPROVALS, values.approve, 'kind of approval'),
    help: values.help || command === 'help',
    version: values.version,
  }
}

function checkNotEmpty(values: Values): void {
  const empty = Object.entries(values).find(([, value]) => value === '' || (Array.isArray(value) && value.includes('')))
  if (empty) throw new UsageError(`--${empty[0]} is empty`)
}

function checkPairs(values: Values): void {
  for (const [one, other, why = ''] of PAIRS) {
    if (values[one] && values[other]) throw new UsageError(`--${one} and --${other} exclude each other${why}`)
  }
}

/** The options of `eval`. The module with the cases defines everything else. */
const FOR_EVAL: readonly string[] = ['filter', 'json', 'parallel', 'help', 'version']

function checkCommand(values: Values, command: string | undefined): void {
  const unused = command === 'eval' && Object.entries(values).find(([name, value]) => value && !FOR_EVAL.includes(name))
  if (unused) throw new UsageError(`--${unused[0]} is not for "eval": set it in the module, as an option of "evaluate"`)
  for (const [name, ...commands] of ONLY_FOR) {
    if (!values[name] || command === undefined || commands.includes(command)) continue
    throw new UsageError(`--${name} is for ${commands.map((one) => `"${one}"`).join(', ')}, not for "${command}"`)
  }
  const roots = values.root?.length ?? 0
  if (roots > 1 && command !== 'mcp') throw new UsageError(`--root is given ${roots} times: only "mcp" takes several directories`)
  for (const name of ['port', 'no-token'] as const) if (values[name] && !values.http) throw new UsageError(`--${name} needs --http`)
  if (values.strict && !values.format?.startsWith('openai')) {
    throw new UsageError('--strict needs --format openai or openai-responses: no other provider has it')
  }
}

function oneOf<Name extends string>(names: readonly Name[], given: string | undefined, what: string): Name | undefined {
  const name = names.find((known) => known === given)
  if (name !== undefined || given === undefined) return name
  throw new UsageError(`There is no ${what} "${given}": use one of ${names.join(', ')}`)
}

function wholeNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new UsageError(`${name} must be a whole number from 1 to ${most}`)
}

/** Maximum number of operands of each command. After so many operands, a word that follows `--js` must be the name of an engine. */
const MOST_OPERANDS: Readonly<Record<string, number>> = { mcp: 0, tools: 1, call: 1, run: 1, replay: 1 }

/** Expands `--js` without a value to `--js=sandbox`, because the parser does not support optional values. */
function spelledOut(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, at) => {
    const isShort = word === '--js' && (end === -1 || at < end)
    return isShort && !ENGINES.some((name) => name === argv[at + 1]) && !isMisspelt(argv, at) ? '--js=sandbox' : word
  })
}

/** Whether the word after `--js` is a misspelled engine name: a bare word that cannot be a command or an operand. */
function isMisspelt(argv: readonly string[], at: number): boolean {
  if (!/^[a-z]+$/i.test(argv[at + 1] ?? '')) return false
  const { positionals } = parseArgs({ args: argv.slice(0, at), options: OPTIONS, allowPositionals: true, strict: false })
  const [command, ...operands] = positionals
  return command !== undefined && operands.length >= (MOST_OPERANDS[command] ?? 1)
}

function parse(argv: readonly string[]) {
  try {
    const parsed = parseArgs({ args: spelledOut(argv), options: OPTIONS, allowPositionals: true, tokens: true })
    rejectRepeated(parsed.tokens, ['root'])
    return parsed
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(wordedFor(error, Object.keys(OPTIONS)))
  }
}

/** The tokens of `parseArgs`, as far as `rejectRepeated` reads them. */
type Token = { readonly kind: string } & Partial<Record<'name' | 'rawName' | 'value', unknown>>

/** Rejects repeated options with a value, except those in `repeatable`: the parser would silently take the last value. */
export function rejectRepeated(tokens: readonly Token[], repeatable: readonly string[]): void {
  const given = tokens.filter(({ kind, name, value }) => kind === 'option' && value !== undefined && !repeatable.includes(String(name)))
  const names = given.map(({ rawName }) => rawName)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`)
}

/** Returns the message of a `parseArgs` error. For an unknown option, suggests the most similar known one. */
export function wordedFor(error: unknown, options: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = /^Unknown option '(-[^']+)'/.exec(message)?.[1]
  if (unknown === undefined) return message
  const [meant] = unknown.startsWith('--') ? closestNames(unknown.slice(2), options, 1) : []
  return `There is no option ${unknown}${meant === undefined ? '' : `: did you mean --${meant}?`}`
}
