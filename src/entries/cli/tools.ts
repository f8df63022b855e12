import { closestNames } from '../../core/closest-names.js'
import type { ToolRuntime } from '../../runtime/tool-runtime.js'
import type { ManifestEntry } from '../../types/tool.js'
import type { ExitCode } from './exit-code.js'
import { type CliOptions, UsageError } from './options.js'

/** The manifest: names and descriptions, or one tool with its parameters; with --json as models get it, with --format as providers do. */
export async function tools(runtime: ToolRuntime, options: CliOptions): Promise<ExitCode> {
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
