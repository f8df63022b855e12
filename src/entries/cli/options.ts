import { parseArgs } from 'node:util'

/** The command line is wrong. The message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const SHELLS = ['node', 'virtual', 'none'] as const
export type ShellName = (typeof SHELLS)[number]

const ENGINES = ['sandbox', 'node', 'none'] as const
export type EngineName = (typeof ENGINES)[number]

export interface CliOptions {
  readonly command: string | undefined
  readonly operands: readonly string[]
  readonly root: string
  readonly memory: boolean
  readonly seed: string | undefined
  readonly readOnly: boolean
  readonly shell: ShellName
  readonly js: EngineName
  /** Address of the package registry. */
  readonly registry: string | undefined
  readonly preset: string
  readonly json: boolean
  readonly help: boolean
  readonly version: boolean
}

const OPTIONS = {
  root: { type: 'string' },
  memory: { type: 'boolean', default: false },
  seed: { type: 'string' },
  'read-only': { type: 'boolean', default: false },
  shell: { type: 'string' },
  js: { type: 'string', default: 'none' },
  registry: { type: 'string' },
  preset: { type: 'string', default: 'standard' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const

/** Of `environment` it takes what stands for an option that is not given. @throws {UsageError} */
export function parseCli(argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): CliOptions {
  const { values, positionals } = parse(argv)
  const [command, ...operands] = positionals
  if (values.memory && values.root !== undefined) throw new UsageError('--root and --memory exclude each other')
  if (command === 'mcp' && !values.memory && values.root === undefined && !values.help && !values.version) {
    throw new UsageError('"mcp" serves no directory by itself: add --root DIR, or --memory')
  }
  const empty = (['root', 'seed', 'shell', 'js', 'registry', 'preset'] as const).find((name) => values[name] === '')
  if (empty) throw new UsageError(`--${empty} is empty`)
  if (values.seed !== undefined && !values.memory) throw new UsageError('--seed needs --memory')
  const js = engineOf(values.js, values)
  if (values.registry !== undefined && js === 'none') throw new UsageError('--registry needs --js')
  return {
    command,
    operands,
    root: values.root ?? '.',
    memory: values.memory,
    seed: values.seed,
    readOnly: values['read-only'],
    shell: shellOf(values.shell ?? (values.memory ? 'virtual' : 'none'), values),
    js,
    registry: js === 'none' ? undefined : (values.registry ?? (environment.TOOLPORT_REGISTRY || undefined)),
    preset: values.preset,
    json: values.json,
    help: values.help,
    version: values.version,
  }
}

interface Bounds {
  readonly memory: boolean
  readonly 'read-only': boolean
}

function shellOf(name: string, { memory, 'read-only': readOnly }: Bounds): ShellName {
  const shell = SHELLS.find((known) => known === name)
  if (!shell) throw new UsageError(`There is no shell "${name}": use one of ${SHELLS.join(', ')}`)
  if (shell === 'node' && memory) throw new UsageError('--shell node needs a real directory: it cannot see a workspace in --memory')
  if (shell === 'node' && readOnly) throw new UsageError('--shell node excludes --read-only: nothing would keep a real shell from writing')
  return shell
}

function engineOf(name: string, { memory, 'read-only': readOnly }: Bounds): EngineName {
  const engine = ENGINES.find((known) => known === name)
  if (!engine) throw new UsageError(`There is no JavaScript engine "${name}": use one of ${ENGINES.join(', ')}`)
  if (engine === 'node' && memory) throw new UsageError('--js node needs a real directory: it cannot see a workspace in --memory')
  if (engine === 'node' && readOnly) throw new UsageError('--js node excludes --read-only: nothing would keep a program from writing')
  return engine
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
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Exactly one operand. @throws {UsageError} */
export function soleOperand(options: CliOptions, what: string): string {
  const [operand, extra] = options.operands
  if (operand === undefined) throw new UsageError(`"${options.command}" needs ${what}`)
  if (extra !== undefined) throw new UsageError(`"${options.command}" takes ${what} and nothing more, not "${extra}"`)
  return operand
}
