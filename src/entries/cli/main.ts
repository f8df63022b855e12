import { isAbsolute, relative, sep } from 'node:path'
import { closestNames } from '../../core/closest-names.js'
import { toModelText } from '../../core/result.js'
import { visibleText } from '../../ops/visible-name.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ManifestEntry, ToolCall, ToolResult } from '../../types/tool.js'
import { parseCall } from './calls.js'
import { type CommandLine, parseCommandLine } from './command-line.js'
import { currentDirectory, findConfig } from './config/file.js'
import type { ExitCode } from './exit-code.js'
import { loadTools } from './javascript.js'
import { parseJson } from './json-syntax.js'
import { type CliOptions, UsageError } from './options.js'
import { plainLine } from './plain-line.js'
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
    // No workspace is opened for it.
    if (line.command === 'replay') return await (await import('./replay.js')).replay(await settingsOf(line))
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
  const [meant] = closestNames(command, [...Object.keys(COMMANDS), 'replay', 'proxy', 'help'], 1)
  throw new UsageError(`There is no command "${command}"${meant === undefined ? '' : `: did you mean "${meant}"?`}`)
}

async function settingsOf(line: CommandLine): Promise<CliOptions> {
  const file = await findConfig(line)
  // Whoever reads its log should know what it obeys, before that runs.
  if (line.command === 'mcp' && file) process.stderr.write(`toolport: configured by ${file.path}\n`)
  const config = file ? await (await import('./config/load.js')).loadConfig(file) : {}
  // Whoever runs a command in a directory expects it to work there: a file that lies there may be somebody else's.
  if (file && line.config === undefined && line.root === undefined && config.root !== undefined && leads(config.root)) {
    process.stderr.write(`toolport: ${plainLine(`${file.name} sets the root to ${config.root}, which is not below this directory`)}\n`)
  }
  return settle(line, config, file, process.env)
}

/** Whether a path leads out of the current directory. */
function leads(path: string): boolean {
  const way = relative(currentDirectory(), path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

async function withRuntime(options: CliOptions, command: Command): Promise<ExitCode> {
  const runtime = await openRuntime(options)
  return underSignals(async (signal) => {
    try {
      if (options.js !== 'none') await loadTools(runtime, options, signal)
      return await command(runtime, options, signal)
    } finally {
      // Under the handlers still: a shell that has to be stopped is stopped.
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

/** One call: what a model would read, or with --json the whole result, as the preset has it. */
async function call(runtime: ToolRuntime, options: CliOptions, signal: AbortSignal): Promise<ExitCode> {
  const given = await readCall(options.operands, signal)
  if (signal.aborted || !given) return 130
  const result = await runtime.execute(given, { signal })
  if (options.json) process.stdout.write(`${jsonLine(runtime.toWire(result, given))}\n`)
  else print(result)
  return result.ok ? 0 : 1
}

/** `-` for the whole call, or for its input: from stdin. Undefined when the signal aborts first. */
async function readCall([name, json = '{}', extra]: readonly string[], signal: AbortSignal): Promise<ToolCall | undefined> {
  if (name === undefined) throw new UsageError('"call" needs the name of a tool')
  if (extra !== undefined) throw new UsageError(`"call" takes a tool and one JSON object, not "${extra}" too: quote the JSON`)
  const text = name === '-' || json === '-' ? await readStdin(signal) : json
  if (signal.aborted) return undefined
  return name === '-' ? parseWhole(text) : { name, input: parseInput(text) }
}

function parseWhole(json: string): ToolCall {
  const parsed = parseCall(json)
  if ('problem' in parsed) throw new UsageError(`Cannot read the call on stdin: ${parsed.problem}`)
  return parsed.call
}

function parseInput(json: string): unknown {
  const parsed = parseJson(json.replace(/^\ufeff/, ''))
  if ('problem' in parsed) throw new UsageError(`The input is not JSON: ${parsed.problem}`)
  return parsed.value
}

function print(result: ToolResult): void {
  const stream = result.ok ? process.stdout : process.stderr
  // Whoever wrote the files must not control the terminal. `--json` has the text as it is.
  stream.write(`${visibleText(toModelText(result))}\n`)
}

/** The manifest: names and descriptions, or one tool with its parameters; with --json as models get it, with --format as providers do. */
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
  if (operands.length > 0 && first) return `${first.description}\n\n${JSON.stringify(first.inputSchema, null, 2)}\n`
  const width = Math.max(0, ...chosen.map(({ name }) => name.length))
  return chosen.map(({ name, description }) => `${name.padEnd(width)}  ${description.split('\n', 1)[0]}\n`).join('')
}

/** What `--help` prints. */
function help(): string {
  return `toolport: the tools of an AI agent, from the command line

Usage
  toolport call <tool> [json | -]   one call; the input as JSON, "-" reads it from stdin
  toolport call -                   one call, {"name": ..., "input": ...} from stdin
  toolport run <file.jsonl | ->     one call a line in, one result a line out
  toolport tools [tool]             the tools, or one with its parameters
  toolport replay <cassette.jsonl>  shows a cassette, and makes its calls once more in memory: no model, network or shell; the first
                                    difference ends it. Pass the --preset and the --config of the recording
  toolport mcp                      the tools and the files for an MCP client, on stdin and stdout, until stdin ends; needs --root or
                                    --memory, or --config with a file that has one of them, or --root-from-client
  toolport proxy                    web search for the tools, with its keys kept here (see "toolport proxy --help")

Workspace
  --root DIR        work in this directory (default: the current one)
                    mcp takes several, each a directory of the workspace under its own name
  --memory          work in memory; nothing is kept
  --root-from-client  for mcp: work in the one directory that the client names as its root
  --seed DIR        with --memory: start with a copy of this directory
  --read-only       refuse every change; --no-read-only takes it back where the configuration file says so
  --shell NAME      what runs the commands of "bash": node (a real shell, which the workspace does not bind), virtual (a bash in
                    JavaScript) or none; default virtual with --memory, else none
  --js [NAME]       what runs JavaScript: sandbox (reaches the workspace and nothing else; meant where no name is given), node (Node
                    itself, for programs that are trusted) or none (default). With one, the tools in .toolport/tools of the
                    workspace are there too: those that "create_persistent_tool" has made
  --registry URL    with --js: where "install_js_packages" finds packages (default: $TOOLPORT_REGISTRY, else nowhere)

MCP
  --http            serve HTTP on 127.0.0.1, not stdin and stdout; clients send the token that stderr shows, or $TOOLPORT_MCP_TOKEN
  --port N          with --http: the port (default: a free one)
  --no-token        with --http: every program of this machine may call the tools
  --tools NAMES     offer only these tools or groups, with commas: files, checkpoints, shell, js, web, memory
  --compact         list short descriptions and few optional parameters
  --no-checkpoints  no automatic checkpoint before a change

Calls
  --timeout MS      the longest a call may take (default: 120000)
  --approve NAME    who answers where the policy asks: ask (you, on the terminal), always or never; default the configuration file's
                    "approve", else ask. Where there is no terminal, asking is denying
  --parallel N      for run: up to N calls that only read at once, results in order (default: 1)
  --bail            for run: stop at the first failure

Options
  --preset NAME     which set of tools: standard (default), loom, loaf, loom-elixir, zeroclaw
  --config FILE     a configuration file (.json or .mjs; default: toolport.config.json or toolport.config.mjs in the current directory,
                    never in that of --root, and none for mcp); --no-config: none. The command line goes before it
  --json            print results as JSON objects, one a line
  --format NAME     for tools: as one JSON value, as the requests of a provider want them: openai, openai-responses, anthropic, gemini,
                    ai-sdk, mcp; with --strict in the strict mode of OpenAI
  --help, --version

A line of a .jsonl file is {"name": "read_file", "input": {"path": "README.md"}, "id": "1"}; the id may be left out.
Exit status: 0 all calls succeeded, 1 a call failed, 2 the command line or the configuration file is wrong; 130, 143 or 129 interrupted
by Ctrl-C, SIGTERM or SIGHUP, which abort the call. A command of "bash" that fails is an answer, not a failed call: its own exit code is
in the result.
`
}
