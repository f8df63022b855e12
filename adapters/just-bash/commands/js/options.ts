import type { JsCommandName } from './types.js'

/** The parsed arguments. */
export interface Asked {
  readonly action: 'run' | 'check' | 'version' | 'help'
  /** The code of `-e` or `-p`. */
  readonly code?: string
  /** Whether to print the value (`-p`). */
  readonly print: boolean
  /** The value of `--input-type`. */
  readonly format?: 'module' | 'commonjs'
  /** The script path as given. Undefined if the program comes from `code` or standard input. */
  readonly script?: string
  /** Arguments of the program. */
  readonly args: readonly string[]
}

/** An error of the command itself. `status`: exit status. The message goes to standard error. */
export class Refusal extends Error {
  readonly status: number

  constructor(message: string, status = 9) {
    super(message)
    this.status = status
  }
}

/** Options of Node that are accepted without effect. */
const IGNORED =
  /^--(?:no-)?(?:warnings|deprecation|pending-deprecation|enable-source-maps|global-search-paths|trace-[\w-]+|experimental-[\w-]+|preserve-symlinks(?:-main)?)$|^--(?:max-old-space-size|max-semi-space-size|stack-trace-limit|disable-warning|title)=/

/** Node options that are not supported here, with their alternatives. */
const ABSENT: readonly (readonly [RegExp, string])[] = [
  [/^(?:-i|--interactive)$/, 'there is no terminal: run a file, -e CODE, or pipe a program into it'],
  [/^(?:-r|--require|--import|--loader|--experimental-loader)(?:=|$)/, 'let the program import what it needs'],
  [/^--(?:test|run)(?:[-=]|$)/, 'run the file itself: node FILE'],
  [/^--watch(?:[-=]|$)/, 'run the program again after a change'],
  [/^--(?:inspect|cpu-prof|heap-prof|prof|debug)/, 'use console.log'],
  [/^--env-file(?:-if-exists)?(?:=|$)/, 'set the variables in the shell: set -a; . ./.env; set +a'],
]

/**
 * Parses arguments like Node. The arguments of the program start at the first non-option or after `--`. @throws {Refusal} for invalid
 * options
 */
export function readArguments(name: JsCommandName, args: readonly string[]): Asked {
  const rest = [...args]
  let action: Asked['action'] = 'run'
  let evaluates = false
  let print = false
  let code: string | undefined
  let format: Asked['format']
  for (let arg = rest[0]; arg?.startsWith('-') && arg !== '-'; arg = rest[0]) {
    rest.shift()
    if (arg === '--') break
    const [option, given] = splitOption(arg)
    const value = (): string => {
      const found = given ?? rest.shift()
      if (found === undefined) throw new Refusal(`${name}: ${arg} requires an argument`)
      return found
    }
    if (option === '-e' || option === '--eval') [evaluates, code] = [true, value()]
    else if (/^(?:-p|--print|-pe)$/.test(option)) {
      print = true
      if (option === '-pe' || given !== undefined || isValue(rest[0])) [evaluates, code] = [true, value()]
    } else if (option === '-c' || option === '--check') action = 'check'
    else if (option === '-v' || option === '--version') return { action: 'version', print, args: [] }
    else if (option === '-h' || option === '--help') return { action: 'help', print, args: [] }
    else if (option === '--input-type') format = formatOf(name, value())
    else checkIgnored(name, arg)
  }
  if (action === 'check' && evaluates) throw new Refusal(`${name}: either --check or --eval can be used, not both`)
  const shared = { action, print, ...(format && { format }) }
  if (evaluates && code !== undefined) return { ...shared, code, args: rest }
  const [script, ...own] = rest
  return { ...shared, ...(script !== undefined && script !== '-' && { script }), args: own }
}

/** Whether `-p` takes the next argument as its code: any argument that is not an option. */
const isValue = (next: string | undefined): boolean => next !== undefined && !/^-[^\d\s]/.test(next)

function splitOption(arg: string): readonly [option: string, given: string | undefined] {
  const at = arg.startsWith('--') ? arg.indexOf('=') : -1
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)]
}

function formatOf(name: string, value: string): 'module' | 'commonjs' {
  if (value === 'module' || value === 'commonjs') return value
  throw new Refusal(`${name}: --input-type must be "module" or "commonjs"`)
}

function checkIgnored(name: string, arg: string): void {
  const absent = ABSENT.find(([pattern]) => pattern.test(arg))
  if (absent) throw new Refusal(`${name}: ${splitOption(arg)[0]} is not available in this shell: ${absent[1]}`)
  if (!IGNORED.test(arg)) throw new Refusal(`${name}: bad option: ${arg}`)
}

const SHARED = `  -e, --eval CODE      run CODE
  -p, --print CODE     run CODE and print the value of its last expression
  -c, --check          check the syntax without running the program
      --input-type T   format of CODE and standard input: module or commonjs
  -v, --version        print the Node version that programs see
  -h, --help           print this help
      --               end of options
`

const HEAD: Readonly<Record<JsCommandName, string>> = {
  node: `Usage: node [options] [script.js | -] [arguments]

Runs a script of the workspace, or the program on standard input. CODE and standard input are CommonJS, unless they have import, export or a
top-level await. There is no interactive mode.

`,
  js: `Usage: js [options] [script.js | -] [arguments]

Like node, but CODE and standard input are ES modules, and the program's default export is printed as JSON when the program ends.

`,
}

export const usageOf = (name: JsCommandName): string => HEAD[name] + SHARED
