import { InputError } from '../../../src/errors/index.js'
import type { ShellState } from '../../../src/types/shell.js'
import type { Environment } from '../../shared/process/checks.js'
import { type Declaration, readDeclaration, readDeclarations } from './declarations.js'
import type { ShellStart } from './find-shell.js'

/** The state of bash besides the working directory and the exported variables. */
export interface BashState extends ShellState {
  readonly of: 'bash'
  /** The variables, as `declare -p` prints them. */
  readonly variables: readonly string[]
  /** The functions, as `declare -f` prints them. */
  readonly functions: readonly string[]
  /** Options that differ from the start of the shell: `-o errexit`, `+o braceexpand`, `-s nullglob`, `-u checkwinsize`. */
  readonly options: readonly string[]
}

/** The final state as reported by bash. */
export interface StateReport {
  /** The value of `$SHELLOPTS`. */
  readonly options: string
  /** Number of functions that had not returned. */
  readonly depth: number
  /** `local -p` in the innermost of these functions. */
  readonly locals: string
  /** The output of `declare -p`. */
  readonly variables: string
  /** Output of `declare -f` for each function. */
  readonly functions: readonly string[]
}

/** The state as passed to the next command. */
export interface Seed {
  /** Environment entries with functions. bash imports the function and does not run text after it. */
  readonly functions: readonly string[]
  /** Commands to run at the start, one per line. */
  readonly commands: string
  /** A command that must run last, because its options affect everything after it. May be empty. */
  readonly last: string
}

/** Variables that bash sets itself, or that describe one process only. */
const OF_THE_SHELL = new Set(
  'COLUMNS COMP_WORDBREAKS COPROC DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD HOSTNAME HOSTTYPE LINENO LINES MACHTYPE OLDPWD OPTARG OPTERR OPTIND OSTYPE PIPESTATUS POSIXLY_CORRECT PPID PWD RANDOM SECONDS SHELLOPTS SHLVL SRANDOM UID _'.split(
    ' ',
  ),
)
const ALIASES = 'BASH_ALIASES'
const AT_START: Readonly<Record<string, string>> = { IFS: "$' \\t\\n'", PS4: '"+ "', [ALIASES]: '()' }
/** Options of `set -o` to restore. Excludes options that prevent commands from running, and options for interactive use. */
const SET = new Set(
  'allexport braceexpand errexit errtrace functrace hashall keyword noclobber noglob nounset physical pipefail posix xtrace'.split(' '),
)
/** Options of `shopt` that are never restored: bash sets them itself, or they have side effects. */
const NOT_SHOPT = new Set(['extdebug', 'login_shell', 'restricted_shell'])
const SHOPT = /^-[su] [a-z][a-z_0-9]*$/
/**
 * Functions that bash can import from the environment. For a name that is a reserved word, `declare -f` prints `function` before the name.
 * Such functions do not match.
 */
const FUNCTION = /^([\p{L}\p{N}_.:+@%,-]+) \(\) \n(?=\{)/u
/**
 * Matches a name reference to a plain name. A reference to an array element is rejected, because evaluating the index could run commands.
 */
const REFERENCE = /^"[A-Za-z_]\w*"$/
/** Functions with these names would break the code that restores the state. */
const NOT_FUNCTIONS = new Set(['builtin', 'command'])
/** Maximum sizes of one function and of all functions. Linux allows 128 KiB per environment entry, and about 2 MB in total. */
const MAX_FUNCTION_BYTES = 100 * 1024
const MAX_FUNCTIONS_BYTES = 512 * 1024

/**
 * Converts a report to a state. Returns undefined if the state is unknown or too large. If one function had not returned, its local
 * variables are excluded by name and keep their values from `before`. If several functions had not returned, local and global variables
 * cannot be told apart.
 *
 * Values that bash sets at its start are not part of the state.
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
  // bash lists some variables twice. Keep the last one.
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
  // The environment carries exported variables, but not their other attributes.
  return flags !== 'x' && !(flags === '-' && value === undefined)
}

function changed(from: readonly string[], to: readonly string[]): string[] {
  const known = (name: string): boolean => SET.has(name) || (!isSetName(name) && !NOT_SHOPT.has(name) && name !== '')
  const on = to.filter((name) => known(name) && !from.includes(name))
  const off = from.filter((name) => known(name) && !to.includes(name))
  return [...on.map((name) => `${SET.has(name) ? '-o' : '-s'} ${name}`), ...off.map((name) => `${SET.has(name) ? '+o' : '-u'} ${name}`)]
}

/** Whether a name belongs to `set -o` but is not in `SET`. bash lists these names together with the names of `shopt`. */
function isSetName(name: string): boolean {
  return 'emacs histexpand history ignoreeof interactive-comments monitor noexec nolog notify onecmd privileged verbose vi'
    .split(' ')
    .includes(name)
}

/** @throws {InputError} for a state that this adapter did not return */
export function seedOf(state: ShellState, env: Environment): Seed {
  const { variables, functions, options } = checked(state)
  const set = options.filter(isOfSet)
  return {
    functions: functions.map(([name, body]) => `BASH_FUNC_${name}%%=() ${body}`),
    commands: [
      ...functions.map(([name]) => `builtin export -nf -- ${name}`),
      // Variables that the caller sets take precedence.
      ...variables.filter(({ flags, name }) => flags.includes('x') || !Object.hasOwn(env, name)).map(assignment),
      ...options.filter((option) => !isOfSet(option)).map((option) => `builtin shopt ${option}`),
    ].join('\n'),
    // The backslash bypasses aliases, which are already defined here.
    last: set.length > 0 ? `\\builtin set ${set.join(' ')}` : '',
  }
}

interface Checked {
  readonly variables: readonly Declaration[]
  readonly functions: readonly (readonly [name: string, body: string])[]
  readonly options: readonly string[]
}

/** Validates a state, so that no commands can run when it is restored. */
function checked(state: ShellState): Checked {
  const { of, variables, functions, options } = state
  if (of !== 'bash' || !isList(variables) || !isList(functions) || !isList(options)) throw notOurs()
  if (!options.every((one) => isOfSet(one) || SHOPT.test(one))) throw notOurs()
  if ([...variables, ...functions].some((text) => text.includes('\0'))) throw notOurs()
  const declared = variables.map((text) => {
    const declaration = readDeclaration(text)
    return declaration?.text === text && isKept(declaration) ? declaration : fail()
  })
  // The attributes of a first declaration would apply to the value of a second one. An integer variable evaluates its text, which can run
  // commands.
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
 * Returns commands that declare and assign a variable. Assigns an array separately from its declaration: after `builtin`, bash does not
 * parse brackets, and a plain `declare` may be a function. `-i` follows the value. Otherwise, bash would evaluate the text, which can run
 * commands. `-r` comes last.
 */
function assignment({ flags, name, value }: Declaration): string {
  if (name === ALIASES) return `${name}=${value}`
  const isArray = /[aA]/.test(flags)
  // The environment carries the value of an exported variable.
  const isElsewhere = flags.includes('x') && !isArray
  const first = flags.replace(isElsewhere ? /[irx-]/g : /[ir-]/g, '')
  const declare = `builtin declare -${first || '-'} ${name}`
  const then = ['i', 'r'].filter((flag) => flags.includes(flag)).map((flag) => `builtin declare -${flag} ${name}`)
  if (first.includes('n')) return value !== undefined && REFERENCE.test(value) ? `${declare}=${value}` : ':'
  if (isElsewhere || value === undefined) return [...(first === '' ? [] : [declare]), ...then].join('\n')
  return [isArray ? `${declare}\n${name}=${value}` : `${declare}=${value}`, ...then].join('\n')
}
