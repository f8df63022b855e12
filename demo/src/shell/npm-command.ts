import type { ShellCommand, ShellCommandContext, ShellCommandResult } from 'toolport'
import type { Install } from './vite-command.js'

const USAGE = `npm install [NAME…]   installs packages, by default those of package.json
npm run               lists the scripts of package.json
npm run NAME          runs one that is one Node program, or vite; npm test and npm start do too

Packages can also be installed under "Packages" beside the files.
`
/** A single program with plain arguments, without shell syntax. Templates run `tsc` before the build. */
const PROGRAM = /^(?:tsc(?: +[\w./-]+)* *&& *)?(node|vite)((?: +[\w./:=@-]+)*) *$/
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['test', 'test'],
  ['t', 'test'],
  ['start', 'start'],
])
const RUN = new Set(['run', 'run-script'])
const HELP = new Set(['help', '--help', '-h'])
const INSTALL = new Set(['install', 'i', 'add', 'ci'])

export interface NpmParts {
  readonly node: ShellCommand
  readonly vite: ShellCommand
  readonly install: Install
}

interface Found {
  readonly directory: string
  readonly scripts: ReadonlyMap<string, string>
}

/** An error whose message is for the user. The command prints it and runs nothing. */
class NpmFault extends Error {}

/**
 * A subset of `npm`: `npm test`, `npm start` and `npm run NAME` run scripts of package.json that are a single Node program or `vite`. Other
 * scripts are printed for the user to run.
 */
export function npmCommand(parts: NpmParts): ShellCommand {
  return {
    name: 'npm',
    about: 'installs packages, and runs a script of package.json that is one Node program: npm install, npm test, npm run NAME',
    async run(args, context) {
      try {
        return await dispatch(args, context, parts)
      } catch (error) {
        if (!(error instanceof NpmFault)) throw error
        return { stderr: `npm: ${error.message}\n`, exitCode: 1 }
      }
    },
  }
}

async function dispatch(args: readonly string[], context: ShellCommandContext, parts: NpmParts): Promise<ShellCommandResult> {
  const [command, ...rest] = args
  // Like npm, prints the usage and fails without a subcommand.
  if (command === undefined) return { stdout: USAGE, exitCode: 1 }
  if (HELP.has(command)) return { stdout: USAGE }
  if (INSTALL.has(command)) return installPackages(rest, context, parts)
  if (!RUN.has(command)) {
    const name = ALIASES.get(command)
    if (name === undefined) throw new NpmFault(`There is no "npm ${command}" here. "npm help" tells what there is.`)
    return runScript(name, rest, context, parts)
  }
  const [name, ...given] = rest
  return name === undefined ? listScripts(await nearest(context)) : runScript(name, given, context, parts)
}

async function installPackages(
  names: readonly string[],
  { signal }: ShellCommandContext,
  { install }: NpmParts,
): Promise<ShellCommandResult> {
  const option = names.find((name) => name.startsWith('-'))
  if (option !== undefined) throw new NpmFault(`Cannot install with the option "${option}": give only names of packages.`)
  try {
    return { stdout: await install(names, signal) }
  } catch (error) {
    throw new NpmFault(error instanceof Error ? error.message : String(error))
  }
}

function listScripts({ scripts }: Found): ShellCommandResult {
  if (scripts.size === 0) return { stdout: 'package.json has no scripts.\n' }
  return { stdout: `Scripts of package.json:\n${[...scripts].map(([name, script]) => `  ${name}\n    ${script}\n`).join('')}` }
}

async function runScript(
  name: string,
  given: readonly string[],
  context: ShellCommandContext,
  parts: NpmParts,
): Promise<ShellCommandResult> {
  const { directory, scripts } = await nearest(context)
  const script = scripts.get(name)
  if (script === undefined) {
    const others = scripts.size > 0 ? `Its scripts: ${[...scripts.keys()].join(', ')}.` : 'It has no scripts.'
    throw new NpmFault(`package.json has no script "${name}". ${others}`)
  }
  const [, program, written] = PROGRAM.exec(script) ?? []
  if (program === undefined || (program === 'node' && !written))
    throw new NpmFault(`The script "${name}" is for a shell. Type it here: ${script}`)
  await context.print?.({ stdout: `\n> ${name}\n> ${script}\n\n` })
  const words = written?.trim().split(/ +/).filter(Boolean) ?? []
  // Inherits from the context instead of copying it: reading the input would consume input that later commands of the script need.
  const there = Object.create(context, { cwd: { value: directory } }) as ShellCommandContext
  return parts[program === 'vite' ? 'vite' : 'node'].run([...words, ...given.slice(given[0] === '--' ? 1 : 0)], there)
}

/** The package.json of the directory or its nearest parent. @throws {NpmFault} */
async function nearest({ cwd, fs }: ShellCommandContext): Promise<Found> {
  for (let directory = cwd; ; directory = fs.resolvePath(directory, '..')) {
    const path = fs.resolvePath(directory, 'package.json')
    if (await fs.exists(path)) return { directory, scripts: scriptsOf(await readJson(path, fs), path) }
    if (directory === fs.resolvePath(directory, '..')) throw new NpmFault('There is no package.json here, nor above.')
  }
}

async function readJson(path: string, fs: ShellCommandContext['fs']): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await fs.readFileBuffer(path)))
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read'
    throw new NpmFault(`${path} ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Reads the scripts; only strings count. @throws {NpmFault} */
function scriptsOf(json: unknown, path: string): ReadonlyMap<string, string> {
  if (!isObject(json)) throw new NpmFault(`${path} is not an object { … }.`)
  const { scripts } = json
  return new Map(
    isObject(scripts) ? Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string') : [],
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
