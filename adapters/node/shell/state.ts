import { InputError } from '../../../src/errors/index.js'
import type { ShellState } from '../../../src/types/shell.js'
import type { Environment } from '../../shared/process/checks.js'
import { type Declaration, readDeclaration, readDeclarations } from './declarations.js'
import type { ShellStart } from './find-shell.js'

/** What bash keeps beside its directory and its exported variables. */
export interface BashState extends ShellState {
  readonly of: 'bash'
  /** As `declare -p` shows them. */
  readonly variables: readonly string[]
  /** As `declare -f` shows them. */
  readonly functions: readonly string[]
  /** Those that are not as they are at a start: `-o errexit`, `+o braceexpand`, `-s nullglob`, `-u checkwinsize`. */
  readonly options: readonly string[]
}

/** What bash told about its end. */
export interface StateReport {
  /** `$SHELLOPTS`. */
  readonly options: string
  /** Functions that had not returned. */
  readonly depth: number
  /** `local -p` in the innermost of them. */
  readonly locals: string
  /** `declare -p`. */
  readonly variables: string
  /** `declare -f` of each function. */
  readonly functions: readonly string[]
}

/** How the next command gets it. */
export interface Seed {
  /** For its environment: bash takes a function from there, and runs nothing that stands behind it. */
  readonly functions: readonly string[]
  /** Commands for its start, in lines. */
  readonly commands: string
  /** One command that comes last, since it holds from there on; empty for none. */
  readonly last: string
}

/** bash sets them itself, or they say something about one process only. */
const OF_THE_SHELL = new Set(
  'COLUMNS COMP_WORDBREAKS COPROC DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD HOSTNAME HOSTTYPE LINENO LINES MACHTYPE OLDPWD OPTARG OPTERR OPTIND OSTYPE PIPESTATUS POSIXLY_CORRECT PPID PWD RANDOM SECONDS SHELLOPTS SHLVL SRANDOM UID _'.split(
    ' ',
  ),
)
const ALIASES = 'BASH_ALIASES'
const AT_START: Readonly<Record<string, string>> = { IFS: "$' \\t\\n'", PS4: '"+ "', [ALIASES]: '()' }
/** Without those that would keep a command from running, and those for a person at a prompt. */
const SET = new Set(
  'allexport braceexpand errexit errtrace functrace hashall keyword noclobber noglob nounset physical pipefail posix xtrace'.split(' '),
)
/** Those that bash sets itself, or that start something. */
const NOT_SHOPT = new Set(['extdebug', 'login_shell', 'restricted_shell'])
const SHOPT = /^-[su] [a-z][a-z_0-9]*$/
/** What bash takes from an environment. `declare -f` puts `function` before a name that is a word of the language. */
const FUNCTION = /^([\p{L}\p{N}_.:+@%,-]+) \(\) \n(?=\{)/u
/** Not one to an element: its index could run something. */
const REFERENCE = /^"[A-Za-z_]\w*"$/
/** They would stand in for what takes a state over. */
const NOT_FUNCTIONS = new Set(['builtin', 'command'])
/** Linux takes 128 KiB in one entry of the environment, and about 2 MB in all of them. */
const MAX_FUNCTION_BYTES = 100 * 1024
const MAX_FUNCTIONS_BYTES = 512 * 1024

/**
 * undefined: not known, or too large. Where functions had not returned, their variables are not told from those of the shell; those of one
 * function are known by name, and stay as they were `before`.
 *
 * What is as bash sets it at its start is no state: it comes by itself.
 */
export function stateOf(report: StateReport, atStart: ShellStart, before: BashState | undefined): BashState | undefined {
  if (report.depth > 1) return undefined
  const functions = report.functions.filter((text) => functionOf(text) !== undefined)
  const sizes = functions.map((text) => Buffer.byteLength(text))
  if (Math.max(0, ...sizes) > MAX_FUNCTION_BYTES || sizes.reduce((a, b) => a + b, 0) > MAX_FUNCTIONS_BYTES) return undefined
  const locals = new Set(readDeclarations(report.locals).map(({ name }) => name))
  const declared = readDeclarations(report.variables)
  const shopt = declared.find(({ name }) => name === 'BASHOPTS')?.value?.slice(1, -1) ?? ''
  const hidden = before?.variables.filter((text) => locals.has(readDeclaration(text)?.name ?? '')) ?? []
  const isOfScript = (one: Declaration): boolean => isKept(one) && !locals.has(one.name) && !atStart.variables.has(one.text)
  // bash lists some twice.
  const kept = new Map(declared.filter(isOfScript).map(({ name, text }) => [name, text]))
  return {
    of: 'bash',
    variables: [...kept.values(), ...hidden],
    functions,
    options: changed(atStart.options.split(':'), [...report.options.split(':'), ...shopt.split(':')]),
  }
}

function isKept({ flags, name, value }: Declaration): boolean {
  if (OF_THE_SHELL.has(name) || (name.startsWith('BASH') && name !== ALIASES)) return false
  if (AT_START[name] === value && value !== undefined) return false
  // An exported variable goes its own way, but for what the environment does not say of it.
  return flags !== 'x' && !(flags === '-' && value === undefined)
}

function changed(from: readonly string[], to: readonly string[]): string[] {
  const known = (name: string): boolean => SET.has(name) || (!isSetName(name) && !NOT_SHOPT.has(name) && name !== '')
  const on = to.filter((name) => known(name) && !from.includes(name))
  const off = from.filter((name) => known(name) && !to.includes(name))
  return [...on.map((name) => `${SET.has(name) ? '-o' : '-s'} ${name}`), ...off.map((name) => `${SET.has(name) ? '+o' : '-u'} ${name}`)]
}

/** Names of `set -o` that are not in `SET`; bash lists them with the others. */
function isSetName(name: string): boolean {
  return 'emacs histexpand history ignoreeof interactive-comments monitor noexec nolog notify onecmd privileged verbose vi'
    .split(' ')
    .includes(name)
}

/** @throws {InputError} for one that this adapter has not given */
export function seedOf(state: ShellState, env: Environment): Seed {
  const { variables, functions, options } = checked(state)
  const set = options.filter(isOfSet)
  return {
    functions: functions.map(([name, body]) => `BASH_FUNC_${name}%%=() ${body}`),
    commands: [
      ...functions.map(([name]) => `builtin export -nf -- ${name}`),
      // What the caller sets goes before it.
      ...variables.filter(({ flags, name }) => flags.includes('x') || !Object.hasOwn(env, name)).map(assignment),
      ...options.filter((option) => !isOfSet(option)).map((option) => `builtin shopt ${option}`),
    ].join('\n'),
    // With a backslash: the aliases hold by then.
    last: set.length > 0 ? `\\builtin set ${set.join(' ')}` : '',
  }
}

interface Checked {
  readonly variables: readonly Declaration[]
  readonly functions: readonly (readonly [name: string, body: string])[]
  readonly options: readonly string[]
}

/** Only what cannot run anything while it is taken over. */
function checked(state: ShellState): Checked {
  const { of, variables, functions, options } = state
  if (of !== 'bash' || !isList(variables) || !isList(functions) || !isList(options)) throw notOurs()
  if (!options.every((one) => isOfSet(one) || SHOPT.test(one))) throw notOurs()
  if ([...variables, ...functions].some((text) => text.includes('\0'))) throw notOurs()
  const declared = variables.map((text) => {
    const declaration = readDeclaration(text)
    return declaration?.text === text && isKept(declaration) ? declaration : fail()
  })
  // A second value would be worked out by the attributes of the first: an integer runs what stands in its text.
  if (new Set(declared.map(({ name }) => name)).size < declared.length) throw notOurs()
  return { variables: declared, functions: functions.map((text) => functionOf(text) ?? fail()), options }
}

function functionOf(text: string): readonly [name: string, body: string] | undefined {
  const [head, name] = FUNCTION.exec(text) ?? []
  return head === undefined || name === undefined || NOT_FUNCTIONS.has(name) ? undefined : [name, text.slice(head.length)]
}

function isOfSet(option: string): boolean {
  return /^[-+]o /.test(option) && SET.has(option.slice(3))
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function fail(): never {
  throw notOurs()
}

function notOurs(): InputError {
  const message = 'it is not one that this shell gave'
  return new InputError('invalid_input', `Cannot begin with this state: ${message}`, { issues: [{ path: 'state', message }] })
}

/**
 * An array apart from its declaration: with `builtin` before it bash reads no brackets, and a function may have the name `declare`. `-i`
 * comes after the value: with it bash would work out a text, and run what stands in it. `-r` comes last.
 */
function assignment({ flags, name, value }: Declaration): string {
  if (name === ALIASES) return `${name}=${value}`
  const isArray = /[aA]/.test(flags)
  // Of an exported variable the value is in the environment.
  const isElsewhere = flags.includes('x') && !isArray
  const first = flags.replace(isElsewhere ? /[irx-]/g : /[ir-]/g, '')
  const declare = `builtin declare -${first || '-'} ${name}`
  const then = ['i', 'r'].filter((flag) => flags.includes(flag)).map((flag) => `builtin declare -${flag} ${name}`)
  if (first.includes('n')) return value !== undefined && REFERENCE.test(value) ? `${declare}=${value}` : ':'
  if (isElsewhere || value === undefined) return [...(first === '' ? [] : [declare]), ...then].join('\n')
  return [isArray ? `${declare}\n${name}=${value}` : `${declare}=${value}`, ...then].join('\n')
}
