import { closestNames } from '../../core/closest-names.js'
import { toModelText } from '../../core/result.js'
import { visibleText } from '../../ops/visible-text.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ManifestEntry, ToolCall, ToolResult } from '../../types/tool.js'
import { parseCall } from './calls.js'
import { parseCommandLine } from './command-line.js'
import { findConfig } from './config/file.js'
import { type ExitCode, outputFailed } from './exit-code.js'
import { COMMAND_HELP, COMMAND_NAMES, commandHelp, help, usage, usageOf } from './help.js'
import { readInput } from './input.js'
import { loadTools } from './javascript.js'
import { missingFor } from './missing-port.js'
import { COMPLETION_SHELLS } from './names.js'
import { type CliOptions, type CommandLine, soleOperand, UsageError } from './options.js'
import { run } from './run.js'
import { openRuntime } from './runtime.js'
import { settle } from './settings.js'
import { readStdin } from './stdin.js'
import { jsonLine } from './terminal.js'
import { version } from './version.js'

type Command = (runtime: ToolRuntime, options: CliOptions, signal: AbortSignal) => Promise<ExitCode>

const COMMANDS: Readonly<Record<string, Command>> = {
  call,
  run,
  tools,
  // Imported on demand, because other commands do not need the MCP SDK.
  mcp: async (...args) => (await import('./mcp.js')).mcp(...args),
}

/** Runs a command line. Prints results to stdout, everything else to stderr. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  process.stdout.on('error', (error) => process.exit(outputFailed(error)))
  process.stderr.off('error', ignore).on('error', ignore)
  try {
    if (argv[0] === 'proxy')
      return await underSignals(async (signal) => (await import('./proxy.js')).proxy(argv.slice(1), process.env, signal))
    const line = parseCommandLine(argv)
    if (line.version) return say(`${version()}\n`)
    if (line.help) return say(await helpFor(line))
    if (line.command === 'completion') return say(await completion(line))
    // `replay` opens no workspace.
    if (line.command === 'replay') return await (await import('./replay.js')).replay(await settingsOf(line))
    if (line.command === 'eval') return await underSignals(async (signal) => (await import('./eval.js')).evaluateFile(line, signal))
    const command = commandOf(line)
    const options = await settingsOf(line)
    if (options.rootFromClient) return await underSignals(async (signal) => (await import('./mcp.js')).mcpFromClient(options, signal, open))
    return await withRuntime(options, command)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`toolport: ${visibleText(error.message)}\n${adviceOf(error)}`)
    return 2
  }
}

function adviceOf({ name, command }: UsageError): string {
  if (name === 'ConfigError') return ''
  if (command === undefined) return 'Try "toolport --help"\n'
  return command === '' ? `\nUsage\n${usage()}` : `\nUsage\n${usageOf(command)}\nTry "toolport help ${command}"\n`
}

/** Ignores errors of stderr, because the command can go on if nobody reads stderr. */
const ignore = (): void => {}

/** Returns the help for one command (`help call`, `call --help`), or the general help. */
async function helpFor({ command, operands }: CommandLine): Promise<string> {
  const [about, extra] = command === 'help' ? operands : [command]
  if (extra !== undefined) throw new UsageError(`"help" takes one command, not "${extra}" too`)
  if (about === undefined || about === 'help') return help()
  if (about === 'proxy') return (await import('./proxy.js')).proxyHelp()
  if (!Object.hasOwn(COMMAND_HELP, about)) throw noCommand(about)
  return commandHelp(about)
}

async function completion(line: CommandLine): Promise<string> {
  const shell = soleOperand({ command: 'completion', operands: line.operands }, 'the name of a shell')
  const known = COMPLETION_SHELLS.find((name) => name === shell)
  if (!known) throw new UsageError(`There are no completions for "${shell}": use one of ${COMPLETION_SHELLS.join(', ')}`)
  return (await import('./completion.js')).COMPLETIONS[known]()
}

function commandOf({ command }: CommandLine): Command {
  if (command === undefined) throw new UsageError('No command is given', '')
  const found = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (found) return found
  throw noCommand(command)
}

function noCommand(command: string): UsageError {
  const [meant] = closestNames(command, [...COMMAND_NAMES, 'help'], 1)
  return new UsageError(`There is no command "${command}"${meant === undefined ? '' : `: did you mean "${meant}"?`}`)
}

async function settingsOf(line: CommandLine): Promise<CliOptions> {
  const file = await findConfig(line)
  // The log of a server shows its configuration file before the file runs.
  if (line.command === 'mcp' && file) process.stderr.write(`toolport: configured by ${file.path}\n`)
  if (file?.path.endsWith('.mjs') && line.config === undefined) await (await import('./config/trust.js')).checkTrust(file, line)
  const config = file ? await (await import('./config/load.js')).loadConfig(file) : {}
  const options = settle(line, config, file, process.env)
  if (file && line.config === undefined) await (await import('./config/reach.js')).warnOfReach(file, config, line, options)
  return options
}

async function withRuntime(options: CliOptions, command: Command): Promise<ExitCode> {
  const runtime = await openRuntime(options)
  return underSignals(async (signal) => {
    try {
      if (options.js !== 'none') await loadTools(runtime, options, signal)
      return await command(runtime, options, signal)
    } finally {
      // Dispose while the signal handlers are still installed, so that a signal cannot leave a shell running.
      await runtime.dispose()
    }
  })
}

async function open(options: CliOptions, signal: AbortSignal): Promise<ToolRuntime> {
  const runtime = await openRuntime(options)
  if (options.js !== 'none') await loadTools(runtime, options, signal)
  return runtime
}

function say(text: string): ExitCode {
  process.stdout.write(text)
  return 0
}

/**
 * The exit codes of signals that end the process. The command handles these signals, because otherwise processes of the shell would keep
 * running.
 */
const ENDING = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Runs a command, and aborts it on a signal. The exit code is then that of the signal. */
async function underSignals(command: (signal: AbortSignal) => Promise<ExitCode>): Promise<ExitCode> {
  const interrupt = new AbortController()
  let ending: ExitCode | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    // A second signal exits immediately.
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

/** Runs one call. Prints the text for the model, or with --json the whole result in the preset's wire format. */
async function call(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const given = await readCall(runtime, options.operands, signal)
  if (signal.aborted || !given) return 130
  const result = await runtime.execute(given, { signal })
  if (options.json) process.stdout.write(`${jsonLine(runtime.toWire(result, given))}\n`)
  else print(result)
  const tool = runtime.registry.find(given.name)?.tool
  const need = tool && missingFor(tool, runtime)
  if (need !== undefined) process.stderr.write(`toolport: "${given.name}" needs ${need}\n`)
  return result.ok ? 0 : 1
}

/** Reads a call from the operands, or from stdin if the first operand is `-`. Returns undefined if the signal aborts first. */
async function readCall(runtime: ToolRuntime, [name, ...words]: readonly string[], signal: AbortSignal): Promise<ToolCall | undefined> {
  if (name === undefined) throw new UsageError('"call" needs the name of a tool', 'call')
  if (name !== '-') {
    const input = await readInput(words, runtime.registry.find(name)?.validator.jsonSchema() ?? {}, signal)
    return signal.aborted ? undefined : { name, input }
  }
  if (words[0] !== undefined) throw new UsageError(`"call -" reads the whole call from stdin and takes nothing more, not "${words[0]}"`)
  const text = await readStdin(signal)
  return signal.aborted ? undefined : parseWhole(text)
}

function parseWhole(json: string): ToolCall {
  const parsed = parseCall(json)
  if ('problem' in parsed) throw new UsageError(`Cannot read the call on stdin: ${parsed.problem}`)
  return parsed.call
}

function print(result: ToolResult): void {
  const stream = result.ok ? process.stdout : process.stderr
  // Escape control characters, so that file contents cannot control the terminal. `--json` prints the text unchanged.
  stream.write(`${visibleText(toModelText(result))}\n`)
}

/**
 * Prints names and descriptions of all tools, or one tool with its parameters. --json prints the manifest, --format a provider's format.
 */
async function tools(runtime: ToolRuntime, options: CliOptions): Promise<ExitCode> {
  const [wanted, extra] = options.operands
  if (extra !== undefined) throw new UsageError(`"tools" takes one name, not "${extra}" too`)
  const manifest = runtime.registry.getModelManifest()
  const chosen = wanted === undefined ? manifest : [toolNamed(wanted, manifest)]
  process.stdout.write(await shown(chosen, options))
  return 0
}

function toolNamed(wanted: string, manifest: readonly ManifestEntry[]): ManifestEntry {
  const entry = manifest.find(({ name }) => name === wanted) ?? manifest.find(({ alias }) => alias === wanted)
  if (entry) return entry
  const names = manifest.map(({ name }) => name)
  const [meant] = closestNames(wanted, names, 1)
  throw new UsageError(`There is no tool "${wanted}": ${meant === undefined ? '"toolport tools" lists them' : `did you mean "${meant}"?`}`)
}

async function shown(chosen: readonly ManifestEntry[], { operands, format, strict, json }: CliOptions): Promise<string> {
  if (format) return `${(await import('./formats.js')).rendered(chosen, format, strict)}\n`
  if (json) return chosen.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  const [first] = chosen
  // Escape control characters, because custom tools of the workspace are untrusted.
  if (operands.length > 0 && first) return visibleText(`${first.description}\n\n${JSON.stringify(first.inputSchema, null, 2)}\n`)
  const width = Math.max(0, ...chosen.map(({ name }) => name.length))
  return visibleText(chosen.map(({ name, description }) => `${name.padEnd(width)}  ${description.split('\n', 1)[0]}\n`).join(''))
}
