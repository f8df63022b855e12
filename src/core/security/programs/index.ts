import { type Arg, mayBecomeOption, programName } from '../args.js'
import { inspectGit } from './git.js'
import { FINE, type Inspect, type Inspection, MEDIUM } from './inspection.js'
import { PACKAGES } from './packages.js'
import { inspectSed } from './sed.js'
import { SYSTEM_TOOLS } from './system-tools.js'
import { inspectAwk, inspectEcho, inspectFind, inspectGrep } from './text-tools.js'
import { WRAPPERS } from './wrappers.js'

const STREAMS = /^(?:-|\/dev\/(?:stdin|tty|fd\/.*)|\/proc\/.*)$/

/** Returns why an argument cannot be the script of an interpreter. Undefined: the argument can be a script. */
function scriptProblem(script: Arg | undefined): string | undefined {
  if (script === undefined) return 'without a file reads its program from its input: write it to a file and run that'
  if (STREAMS.test(script.text)) return `with "${script.text}" reads its program from its input: write it to a file and run that`
  return undefined
}

function inspectShell(args: readonly Arg[]): Inspection {
  let isCommand = false
  for (const [i, { text }] of args.entries()) {
    if (text === '--version' || text === '--help') return FINE
    if (text === '-') break
    if (!/^[-+]/.test(text)) {
      if (isCommand) return { script: text, texts: new Set(args.slice(i)) }
      const problem = scriptProblem(args[i])
      return problem === undefined ? MEDIUM : { problem }
    }
    if (!/^(?:-[ceulxnvfm]+|\+[euxvfm]+|--(?:posix|norc|noprofile|login))$/.test(text))
      return { problem: `with the option "${text}" cannot be checked` }
    isCommand ||= /^-[a-z]*c/.test(text)
  }
  return { problem: 'reads its commands from its input: run them one by one' }
}

/** Inspects an interpreter whose options are not known here: allows a script with arguments, or a request for its version or help. */
function inspectInterpreter(args: readonly Arg[]): Inspection {
  const [first] = args
  if (args.length === 1 && /^(?:--version|--help|-v|-V|-h)$/.test(first?.text ?? '')) return FINE
  if (first?.text.startsWith('-') && first.text !== '-') {
    return { problem: `with the option "${first.text}" cannot be checked: write the program to a file and run that` }
  }
  const problem = scriptProblem(first)
  return problem === undefined ? FINE : { problem }
}

const each = (names: string, inspect: Inspect): Record<string, Inspect> =>
  Object.fromEntries(names.split(' ').map((name) => [name, inspect]))

const SHELLS: Readonly<Record<string, Inspect>> = {
  ...each('sh bash zsh dash ksh ash mksh rbash yash', inspectShell),
  ...each(
    'perl ruby php lua luajit tclsh wish rscript r julia groovy scala ghci runghc guile racket sbcl clisp osascript fish',
    inspectInterpreter,
  ),
  ...each('elvish nu xonsh ts-node tsx swift erl elixir iex jshell expect', inspectInterpreter),
}

export type { Inspection } from './inspection.js'

/** Programs whose options can run code, so that a glob must not expand to an option. */
const GUARDED: Readonly<Record<string, Inspect>> = {
  ...WRAPPERS,
  ...SHELLS,
  ...PACKAGES,
  python: inspectPython,
  node: inspectNode,
  nodejs: inspectNode,
  sed: inspectSed,
  gsed: inspectSed,
  awk: inspectAwk,
  gawk: inspectAwk,
  mawk: inspectAwk,
  nawk: inspectAwk,
}
const OPEN: Readonly<Record<string, Inspect>> = {
  ...SYSTEM_TOOLS,
  git: inspectGit,
  find: inspectFind,
  gfind: inspectFind,
  echo: inspectEcho,
  printf: inspectEcho,
  grep: inspectGrep,
  egrep: inspectGrep,
  fgrep: inspectGrep,
}
const PROGRAMS = new Map([...Object.entries(OPEN), ...Object.entries(GUARDED)])

/** Inspects the arguments of a program. `args` excludes the name. */
export function inspectProgram(name: string, args: readonly Arg[]): Inspection {
  const family = familyOf(programName(name))
  const inspect = PROGRAMS.get(family)
  if (!inspect) return FINE
  const look = inspect(args, family)
  const own = args.slice(0, args.length - (look.runs?.length ?? 0))
  if (look.problem !== undefined || !Object.hasOwn(GUARDED, family) || !own.some(mayBecomeOption)) return look
  return { problem: 'with a glob that may become an option: begin it with "./"' }
}

/** Removes the version from a program's name: `python3.12` becomes `python`, `pip3` becomes `pip`, `perl5.36` becomes `perl`. */
function familyOf(name: string): string {
  if (/^(?:python|pypy)[\d.]*w?$/.test(name)) return 'python'
  if (/^pip[\d.]+$/.test(name)) return 'pip'
  const plain = name.replace(/-?\d[\d.]*$/, '')
  return PROGRAMS.has(name) || !PROGRAMS.has(plain) ? name : plain
}

const INFORMS = /^(?:-v|-h|--version|--help|--v8-options|--completion-bash)$/
/** Node options that do not take the next argument as their value. After an option that does, the value would look like the script. */
const KNOWN = [
  /^--(?:no-)?(?:warnings|deprecation|enable-source-maps|expose-gc|preserve-symlinks(?:-main)?|abort-on-uncaught-exception)$/,
  /^--trace-(?:deprecation|exit|gc|promises|sigint|sync-io|tls|uncaught|warnings)$/,
  /^--(?:watch|watch-preserve-output|throw-deprecation|pending-deprecation|experimental-(?:strip-types|transform-types|vm-modules|sqlite))$/,
  /^--experimental-(?:test-coverage|test-module-mocks|permission|wasm-modules|websocket|fetch|detect-module|require-module)$/,
  /^--(?:max-old-space-size|max-semi-space-size|stack-trace-limit|stack-size|unhandled-rejections|conditions|disable-warning)=[^=]*$/,
  /^--test-(?:only|force-exit|concurrency=\d+|timeout=\d+|name-pattern=.*|skip-pattern=.*|shard=.*|coverage-[a-z]+=.*|update-snapshots)$/,
  /^--test-reporter=(?:spec|tap|dot|junit|lcov)$/,
]

/** The first argument that is not an option is the script; later arguments belong to the script. */
function inspectNode(args: readonly Arg[]): Inspection {
  let runsFiles = false
  for (const arg of args) {
    const { text } = arg
    if (text === '--') continue
    if (INFORMS.test(text)) return FINE
    if (!text.startsWith('-') || text === '-') return scriptLook(arg)
    const name = text.replaceAll('_', '-')
    if (name === '--test' || name === '-c' || name === '--check') runsFiles = name === '--test'
    else if (!KNOWN.some((known) => known.test(name))) return optionLook(text)
  }
  return runsFiles ? FINE : scriptLook(undefined)
}

function scriptLook(script: Arg | undefined): Inspection {
  if (script && /^(?:inspect|debug)$/.test(script.text)) return { problem: `with "${script.text}" starts a debugger` }
  const problem = scriptProblem(script)
  return problem === undefined ? FINE : { problem }
}

function optionLook(option: string): Inspection {
  const runs = /^-(?:[a-z]*[ep]|-ev|-pr)/.test(option)
  const name = option.replace(/=.*/s, '')
  if (runs) return { problem: `with ${name} runs a program from its arguments: write it to a file and run that` }
  return { problem: `with the option "${name}" may load or run something else: leave it out` }
}

const FILE = 'write the program to a file and run that'

/** The first argument that is not an option is the script; later arguments belong to the script. */
function inspectPython(args: readonly Arg[]): Inspection {
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    if (/^--(?:version|help|help-all|help-env|help-xoptions)$/.test(text)) return FINE
    if (text.startsWith('--')) return { problem: `with the option "${text}" cannot be checked` }
    if (!text.startsWith('-') || text === '-') return fileLook(args[i])
    const cluster = inspectCluster(text.slice(1))
    if (cluster === 'informs') return FINE
    if (typeof cluster === 'object') return cluster
    if (cluster === 'value') {
      const value = args[++i]?.text ?? ''
      if (value.startsWith('presite')) return { problem: 'with -X presite runs a module' }
    }
  }
  return fileLook(undefined)
}

function fileLook(script: Arg | undefined): Inspection {
  const problem = scriptProblem(script)
  return problem === undefined ? FINE : { problem }
}

/** Inspects the letters of one argument: `-Bc` means `-B -c`. */
function inspectCluster(letters: string): Inspection | 'informs' | 'value' | 'flags' {
  for (const [i, letter] of [...letters].entries()) {
    if (letter === 'c') return { problem: `with -c runs a program from its arguments: ${FILE}` }
    if (letter === 'm') return { problem: `with -m runs a module: ${FILE}` }
    if (letter === 'i') return { problem: 'with -i reads commands from its input' }
    if ('hV?'.includes(letter)) return 'informs'
    if (letter === 'W' || letter === 'X') {
      const value = letters.slice(i + 1)
      if (value.startsWith('presite')) return { problem: 'with -X presite runs a module' }
      return value === '' ? 'value' : 'flags'
    }
    if (!'bBdEIOPqRsStuvx'.includes(letter)) return { problem: `with the option "-${letter}" cannot be checked` }
  }
  return 'flags'
}
