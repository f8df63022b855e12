import { parseArgs } from 'node:util'
import { closestNames } from '../../core/closest-names.js'
import { APPROVALS, type ApprovalName, ENGINES, type EngineName, FORMATS, type FormatName, SHELLS, type ShellName } from './names.js'
import { UsageError } from './options.js'

/** What was written; undefined or false: it was not. */
export interface CommandLine {
  readonly command: string | undefined
  readonly operands: readonly string[]
  readonly root: string | undefined
  /** Of `mcp`: all directories that --root names. */
  readonly roots: readonly string[]
  /** Of `mcp`. */
  readonly http: boolean
  readonly port: number | undefined
  readonly noToken: boolean
  readonly compact: boolean
  readonly offer: readonly string[] | undefined
  readonly noCheckpoints: boolean
  readonly memory: boolean
  readonly rootFromClient: boolean
  readonly seed: string | undefined
  readonly readOnly: boolean | undefined
  readonly shell: ShellName | undefined
  readonly js: EngineName | undefined
  readonly registry: string | undefined
  readonly preset: string | undefined
  readonly config: string | undefined
  readonly noConfig: boolean
  readonly json: boolean
  readonly format: FormatName | undefined
  readonly strict: boolean
  readonly parallel: number
  readonly bail: boolean
  readonly timeoutMs: number | undefined
  readonly approve: ApprovalName | undefined
  readonly help: boolean
  readonly version: boolean
}

const OPTIONS = {
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
  json: { type: 'boolean', default: false },
  format: { type: 'string' },
  strict: { type: 'boolean', default: false },
  parallel: { type: 'string' },
  bail: { type: 'boolean', default: false },
  timeout: { type: 'string' },
  approve: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parse>['values']

/** Options that are of no use with the other commands. */
const ONLY_FOR: readonly (readonly [keyof Values, ...string[]])[] = [
  ['format', 'tools'],
  ['strict', 'tools'],
  ['parallel', 'run'],
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
/** The longest that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** @throws {UsageError} for what no command line may say, whatever the configuration file says */
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
    json: values.json,
    format: oneOf(FORMATS, values.format, 'format'),
    strict: values.strict,
    parallel: wholeNumber('--parallel', values.parallel, MOST_PARALLEL) ?? 1,
    bail: values.bail,
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

function checkCommand(values: Values, command: string | undefined): void {
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

/** `--js` stands for `--js sandbox`: the parser has no options whose value may be left out. */
function spelledOut(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, at) => {
    const isShort = word === '--js' && (end === -1 || at < end)
    return isShort && !ENGINES.some((name) => name === argv[at + 1]) ? '--js=sandbox' : word
  })
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: spelledOut(argv), options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(worded(error))
  }
}

function worded(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1]
  if (unknown === undefined) return message
  const [meant] = closestNames(unknown, Object.keys(OPTIONS), 1)
  return `There is no option --${unknown}${meant === undefined ? '' : `: did you mean --${meant}?`}`
}
