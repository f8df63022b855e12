import { closestNames } from '../../core/closest-names.js'
import { visibleText } from '../../ops/visible-name.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { call } from './call.js'
import { type CommandLine, parseCommandLine } from './command-line.js'
import { findConfig } from './config/file.js'
import type { ExitCode } from './exit-code.js'
import { help } from './help.js'
import { loadTools } from './javascript.js'
import { type CliOptions, UsageError } from './options.js'
import { run } from './run.js'
import { openRuntime } from './runtime.js'
import { settle } from './settings.js'
import { tools } from './tools.js'
import { version } from './version.js'

type Command = (runtime: ToolRuntime, options: CliOptions, signal: AbortSignal) => Promise<ExitCode>

const COMMANDS: Readonly<Record<string, Command>> = {
  call,
  run,
  tools,
  // Its package is an optional peer.
  mcp: async (...args) => (await import('./mcp.js')).mcp(...args),
}

/** Runs one command line. Results go to stdout, everything else to stderr. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  // A reader that closes early (`| head`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    if (argv[0] === 'proxy')
      return await underSignals(async (signal) => (await import('./proxy.js')).proxy(argv.slice(1), process.env, signal))
    const line = parseCommandLine(argv)
    if (line.help) return say(help())
    if (line.version) return say(`${version()}\n`)
    const command = commandOf(line)
    const options = await settingsOf(line)
    if (options.rootFromClient) return await underSignals(async (signal) => (await import('./mcp.js')).mcpFromClient(options, signal, open))
    return await withRuntime(options, command)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const more = error.name === 'ConfigError' ? '' : 'Try "toolport --help"\n'
    process.stderr.write(`toolport: ${visibleText(error.message)}\n${more}`)
    return 2
  }
}

function commandOf({ command }: CommandLine): Command {
  if (command === undefined) throw new UsageError('No command is given')
  const found = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (found) return found
  const [meant] = closestNames(command, [...Object.keys(COMMANDS), 'proxy', 'help'], 1)
  throw new UsageError(`There is no command "${command}"${meant === undefined ? '' : `: did you mean "${meant}"?`}`)
}

async function settingsOf(line: CommandLine): Promise<CliOptions> {
  const file = await findConfig(line)
  // Whoever reads its log should know what it obeys, before that runs.
  if (line.command === 'mcp' && file) process.stderr.write(`toolport: configured by ${file.path}\n`)
  const config = file ? await (await import('./config/load.js')).loadConfig(file) : {}
  return settle(line, config, file, process.env)
}

async function withRuntime(options: CliOptions, command: Command): Promise<ExitCode> {
  const runtime = await openRuntime(options)
  return underSignals(async (signal) => {
    try {
      if (options.js !== 'none') await loadTools(runtime, signal)
      return await command(runtime, options, signal)
    } finally {
      // Under the handlers still: a shell that has to be stopped is stopped.
      await runtime.dispose()
    }
  })
}

async function open(options: CliOptions, signal: AbortSignal): Promise<ToolRuntime> {
  const runtime = await openRuntime(options)
  if (options.js !== 'none') await loadTools(runtime, signal)
  return runtime
}

function say(text: string): ExitCode {
  process.stdout.write(text)
  return 0
}

/** Signals that end a program. Handled, for otherwise they would end this one and leave what its shell has started. */
const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Runs a command that a signal aborts; its exit status is the signal's then. */
async function underSignals(command: (signal: AbortSignal) => Promise<ExitCode>): Promise<ExitCode> {
  const interrupt = new AbortController()
  let ending: ExitCode | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    // The second one does not wait for anything.
    if (ending !== undefined) process.exit(ending)
    ending = ENDING[signal as keyof typeof ENDING]
    interrupt.abort()
  }
  for (const signal of Object.keys(ENDING)) process.on(signal, onSignal)
  try {
    const code = await command(interrupt.signal)
    return ending ?? code
  } finally {
    for (const signal of Object.keys(ENDING)) process.off(signal, onSignal)
  }
}
