import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'

/** The manifest: names and descriptions, or one tool with its parameters; with --json as models get it. */
export async function tools(runtime: ToolRuntime, options: CliOptions): Promise<ExitCode> {
  const manifest = runtime.registry.getModelManifest()
  const [wanted, extra] = options.operands
  if (extra !== undefined) throw new UsageError(`"tools" takes one name, not "${extra}" too`)
  const chosen = wanted === undefined ? manifest : manifest.filter(({ name }) => name === wanted)
  if (chosen.length === 0) throw new UsageError(`There is no tool "${wanted}": "toolport tools" lists them`)
  if (options.json) for (const entry of chosen) process.stdout.write(`${JSON.stringify(entry)}\n`)
  else if (wanted !== undefined) process.stdout.write(`${chosen[0]?.description}\n\n${JSON.stringify(chosen[0]?.inputSchema, null, 2)}\n`)
  else {
    const width = Math.max(...chosen.map(({ name }) => name.length))
    for (const { name, description } of chosen) process.stdout.write(`${name.padEnd(width)}  ${description.split('\n', 1)[0]}\n`)
  }
  return 0
}
