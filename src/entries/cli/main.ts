import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import { call } from './call.js'
import type { ExitCode } from './exit-code.js'
import { help } from './help.js'
import { loadTools } from './javascript.js'
import { type CliOptions, parseCli, UsageError } from './options.js'
import { run } from './run.js'
import { openRuntime } from './runtime.js'
import { underSignals } from './signals.js'
import { tools } from './tools.js'
import { version } from './version.js'

const COMMANDS: Readonly<Record<string, (runtime: ToolRuntime, options: CliOptions, signal: AbortSignal) => Promise<ExitCode>>> = {
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
    const options = parseCli(argv, process.env)
    if (options.help) return say(help())
    if (options.version) return say(`${version()}\n`)
    const command = COMMANDS[options.command ?? '']
    if (!command) throw new UsageError(options.command === undefined ? 'No command is given' : `There is no command "${options.command}"`)
    return await withRuntime(options, command)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`toolport: ${error.message}\nTry "toolport --help"\n`)
    return 2
  }
}

async function withRuntime(options: CliOptions, command: (typeof COMMANDS)[string]): Promise<ExitCode> {
  const runtime = await openRuntime(options)
  return underSignals(async (signal) => {
    try {
      if (options.js !== 'none') await loadTools(runtime, signal)
      return (await command?.(runtime, options, signal)) ?? 1
    } finally {
      // Under the handlers still: a shell that has to be stopped is stopped.
      await runtime.dispose()
    }
  })
}

function say(text: string): ExitCode {
  process.stdout.write(text)
  return 0
}
