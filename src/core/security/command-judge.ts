import { type Construct, type Expansion, type Redirection, type ShellLine, type ShellSegment, splitShell } from '../../ops/shell-split.js'
import { type Arg, argsOf, isGlob, isHome, programName } from './args.js'
import type { CommandNames } from './command-names.js'
import { argumentProblem } from './command-paths.js'
import type { PathRules } from './path-rules.js'
import { type Inspection, inspectProgram } from './programs/index.js'
import { refusedProgram } from './refused-programs.js'
import { isRuinous, maxRisk, riskOf } from './risk.js'
import type { Risk } from './types.js'
import { isCalculated, isDecisive } from './variables.js'

/** The assessment of a command line. */
export interface Judgement {
  /** Why the line is rejected, even with an approval. */
  readonly problem?: string
  readonly risk: Risk
  /** Names of all commands, including those that other commands run. */
  readonly names: readonly string[]
}

interface Rules {
  readonly names: CommandNames
  readonly paths: PathRules
  /** Whether every command is allowed, so that only the paths in the line are checked. */
  readonly anything: boolean
  readonly cwd: string | undefined
}

const DEEPEST = 4
/** Maximum characters of a line, as in the virtual shell. Other shells have lower limits. */
const LONGEST = 1_000_000
const ASSIGNERS = new Set('export declare typeset local readonly unset read printf getopts let integer float'.split(' '))

/** Reserved words that start a compound command even after another command, as in `time ! x`. */
const RESERVED = /^(?:!|\{|\}|\[\[|if|while|until|for|foreach|repeat|select|case|function|coproc)$/

const DIRECTORY = new Set(['cd', 'pushd', 'popd'])
/**
 * Reason to reject `cd` in a line with other commands: after `cd`, relative paths are unknown, so the rules about paths inside the
 * workspace cannot be checked.
 */
const MOVES = 'the policy forbids paths inside the workspace, so "cd" cannot be combined with other commands: write full paths instead'

/** Judges a command line: first its syntax, then each command. Never throws. */
export function judgeLine(command: string, rules: Rules, depth = 0): Judgement {
  if (depth > DEEPEST) return { problem: 'commands are nested too deeply', risk: 'high', names: [] }
  if (command.length > LONGEST) return { problem: `the command is longer than ${LONGEST} characters`, risk: 'high', names: [] }
  const line = splitShell(command)
  const problem = rules.anything ? undefined : structureProblem(command, line)
  const parts = line.segments.map((segment) => judgeSegment(segment, rules, depth))
  const risk = parts.reduce<Risk>((highest, part) => maxRisk(highest, part.risk), formRisk(line))
  const names = parts.flatMap((part) => part.names)
  if (problem !== undefined) return { problem, risk, names }
  const moves = names.some((name) => DIRECTORY.has(name))
  const index = parts.findIndex((part) => part.problem !== undefined)
  const found = parts[index]?.problem
  if (found === undefined && moves && parts.length > 1 && rules.paths.hasInside && !rules.anything) return { problem: MOVES, risk, names }
  if (found !== undefined)
    return { problem: parts.length > 1 ? `${found} (in command ${index + 1} of ${parts.length})` : found, risk, names }
  return names.length > 0 || rules.anything ? { risk, names } : { problem: 'it contains no command', risk, names }
}

/** Returns the risk of the syntax alone. Constructs that hide commands are `high`. */
function formRisk({ unparsable, expansions, constructs, segments }: ShellLine): Risk {
  if (unparsable || constructs.some(({ kind }) => kind === 'function')) return 'high'
  if (expansions.some(({ kind }) => kind !== 'parameter' && kind !== 'arithmetic')) return 'high'
  if (segments.some(({ words }) => words[0]?.expands)) return 'high'
  const writes = segments.some(({ redirections }) => redirections.some(({ safe }) => !safe))
  return expansions.length > 0 || writes ? 'medium' : 'low'
}

function judgeSegment({ assignments, words }: ShellSegment, rules: Rules, depth: number): Judgement {
  const sets = assignments.map(({ name, value }) => `${name}=${value}`)
  const args = argsOf(words)
  if (!args) return { problem: 'its braces expand to too many words: write out the words', risk: 'high', names: [words[0]?.text ?? ''] }
  const [first] = words
  const problem = assignmentProblem(sets, rules) ?? (first && args[0] ? nameProblem(args[0]) : undefined)
  const judged = args.length > 0 ? judgeCommand(args, rules, depth) : { risk: 'low' as const, names: [] }
  return problem === undefined || rules.anything ? judged : { ...judged, problem }
}

/** Judges a command by its name, its arguments and paths, and the commands that it runs. */
function judgeCommand(args: readonly Arg[], rules: Rules, depth: number): Judgement {
  const name = args[0]?.text ?? ''
  const rest = args.slice(1)
  const look = inspectProgram(name, rest)
  const inner = judgeInner(look, rules, depth)
  const risk = maxRisk(riskOf(name, look), inner.risk)
  const problem = commandProblem(name, rest, look, rules) ?? inner.problem
  const judged = { risk: isRuinous(name, rest) ? ('high' as const) : risk, names: [name, ...inner.names] }
  return problem === undefined ? judged : { ...judged, problem }
}

function judgeInner({ runs, script }: Inspection, rules: Rules, depth: number): Judgement {
  if (runs && runs.length > 0) {
    if (depth >= DEEPEST) return { problem: 'commands are nested too deeply', risk: 'high', names: [] }
    const problem = runs[0] && !rules.anything ? nameProblem(runs[0]) : undefined
    return problem === undefined ? judgeCommand(runs, rules, depth + 1) : { problem, risk: 'high', names: [] }
  }
  return script === undefined ? { risk: 'low', names: [] } : judgeLine(script, rules, depth + 1)
}

function commandProblem(name: string, args: readonly Arg[], look: Inspection, rules: Rules): string | undefined {
  const { names, paths, anything, cwd } = rules
  if (isRuinous(name, args)) return `"${name}" of everything is never allowed`
  const path = (): string | undefined => {
    if (!names.isSystem(name)) {
      const own = paths.problem(name, 'read', cwd)
      if (own !== undefined) return `the path "${name}" is not allowed: ${own}`
    }
    // The arguments of a command that this one runs are checked with that command.
    const own = look.runs ? args.slice(0, args.length - look.runs.length) : args
    return argumentProblem(name, own, paths, cwd, look.texts)
  }
  if (anything) return path()
  if (names.listing(name) === 'none') return names.refusal(name)
  const refused = refusedProgram(name) ?? refusedProgram(programName(name))
  if (refused !== undefined) return `"${name}" ${refused}`
  if (look.problem !== undefined) return `"${name}" ${look.problem}`
  return calculationProblem(name, args) ?? assignmentProblem(look.sets ?? builtinSets(name, args), rules) ?? path()
}

/** Returns the variables that a builtin such as `export` or `read` sets through its arguments. */
function builtinSets(name: string, args: readonly Arg[]): readonly string[] {
  if (!ASSIGNERS.has(name) || (name === 'printf' && !args[0]?.text.startsWith('-v'))) return []
  return args.map(({ text }) => text.replace(/^-v/, '')).filter((text) => /^[A-Za-z_]\w*(?:[=+[].*)?$/s.test(text))
}

function assignmentProblem(sets: readonly string[], { anything, paths, cwd }: Rules): string | undefined {
  if (anything) return undefined
  for (const set of sets) {
    const name = /^\w*/.exec(set)?.[0] ?? ''
    if (isDecisive(name)) return `setting "${name}" is not allowed: it can change which program runs`
    const at = set.indexOf('=')
    const value = at < 0 ? '' : set.slice(at + 1)
    if (isCalculated(name, at < 0 ? undefined : value))
      return `setting "${name}" is not allowed: shells evaluate its value, and may run commands in it`
    const problem = /^[/~]/.test(value) ? paths.problem(value, 'read', cwd) : undefined
    if (problem !== undefined) return `the value of "${name}" is not allowed as a path: ${problem}`
  }
  return undefined
}

function nameProblem(arg: Arg): string | undefined {
  const { text } = arg
  if (text === '') return 'a command name is empty'
  if (RESERVED.test(text)) return `"${text}" is a shell keyword, not a command`
  if (isGlob(arg) && text !== '[') return `the command name "${text}" is a glob: write out the name`
  if (isHome(arg)) return `the command name "${text}" begins in a home directory: write out the path`
  return /\s/.test(text) ? `the command name "${text}" contains a space` : undefined
}

/** Builtins that take variable names: in any argument (`ANYWHERE`), or as the value of an option (`BEHIND`). */
const ANYWHERE = new Set('export declare typeset local readonly unset read getopts'.split(' '))
const BEHIND: Readonly<Record<string, string>> = { test: '-v', '[': '-v', printf: '-v', wait: '-p' }
const SUBSCRIPT = /^[A-Za-z_]\w*\[/

/**
 * Rejects builtins that make the shell evaluate text as arithmetic, which can run a command despite quotes: `unset 'a[$(x)]'`. Returns
 * undefined for a harmless command.
 */
function calculationProblem(name: string, args: readonly Arg[]): string | undefined {
  if (/^(?:declare|typeset|local)$/.test(name)) {
    const option = args.find(({ text }) => /^-[A-Za-z]*[inEF]/.test(text))
    if (option) return `"${name}" with ${option.text} is not allowed: shells evaluate the value of such a variable`
  }
  const option = Object.hasOwn(BEHIND, name) ? BEHIND[name] : undefined
  const names = ANYWHERE.has(name) ? args.map(({ text }) => text) : option === undefined ? [] : valuesOf(args, option)
  const hit = names.find((text) => SUBSCRIPT.test(text))
  return hit === undefined ? undefined : `"${name}" with "${hit}" is not allowed: shells evaluate the text in the brackets`
}

/** Returns the values of an option, as separate arguments or joined to the option. */
function valuesOf(args: readonly Arg[], option: string): readonly string[] {
  return args.flatMap(({ text }, i) => {
    if (args[i - 1]?.text === option) return [text]
    return text.startsWith(option) ? [text.slice(option.length)] : []
  })
}

const SHOWN_CHARS = 60

const EXPANSIONS: Readonly<Record<Expansion['kind'], string>> = {
  backtick: 'command substitution is not allowed: run the inner command by itself first, then write its output into the next command',
  command: 'command substitution is not allowed: run the inner command by itself first, then write its output into the next command',
  process: 'process substitution is not allowed: run the inner command by itself first',
  parameter: 'variables are not expanded here: write the value itself, or put the text in single quotes',
  arithmetic: 'arithmetic is not expanded here: write the result itself, or put the text in single quotes',
  quote: '$\'...\' and $"..." are not allowed: use plain quotes',
}

const CONSTRUCTS: Readonly<Record<Construct['kind'], string>> = {
  subshell: 'parentheses are not allowed: run the commands one after another, or quote the character',
  group: 'groups are not allowed: run the commands one after another',
  function: 'functions cannot be defined: run the commands themselves',
  compound: 'conditions and loops are not allowed: run simple commands one after another',
  case: 'conditions and loops are not allowed: run simple commands one after another',
  array: 'arrays are not allowed: write the values themselves',
}

/**
 * Returns why the syntax of the line is forbidden, for the first forbidden construct. Undefined: nothing is forbidden. Does not look at the
 * commands.
 */
function structureProblem(command: string, line: ShellLine): string | undefined {
  const found = [
    ...line.expansions.map((at) => ({ at: at.start, why: `${quote(command, at)}: ${EXPANSIONS[at.kind]}` })),
    ...line.constructs.map((at) => ({ at: at.start, why: `${quote(command, at)}: ${CONSTRUCTS[at.kind]}` })),
    ...line.segments.flatMap((segment) => [
      ...segment.redirections.filter(({ safe }) => !safe).map((at) => ({ at: at.start, why: redirectionProblem(command, at) })),
      ...(segment.separator === '&'
        ? [{ at: segment.end, why: '"&" is not allowed: commands run one after another, use "&&" or ";", and "2>&1" to merge streams' }]
        : []),
    ]),
  ]
  const [first] = found.sort((a, b) => a.at - b.at)
  if (first) return first.why
  return line.unparsable && `the command cannot be parsed: ${line.unparsable.reason} (at character ${line.unparsable.at + 1})`
}

function redirectionProblem(command: string, redirection: Redirection): string {
  const text = quote(command, redirection)
  if (redirection.operator.startsWith('<'))
    return `${text}: input from files is not allowed: name the file as an argument, or use a heredoc`
  return `${text}: output to files is not allowed, only to /dev/null or another stream ("2>&1"): remove it, or use a file tool to write`
}

function quote(command: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const text = command.slice(start, Math.min(end, start + SHOWN_CHARS))
  return `"${text}${end - start > SHOWN_CHARS ? '...' : ''}"`
}
