import type { Config } from './config/config.js'
import type { ConfigFile } from './config/file.js'
import type { EngineName, ShellName } from './names.js'
import { type CliOptions, type CommandLine, UsageError } from './options.js'

type Environment = Readonly<Record<string, string | undefined>>

/** A setting and its source: `--shell node`, `"shell": "node" in toolport.config.json`. */
interface Said<T> {
  readonly value: T
  readonly said: string
}

/** The workspace of a command. */
interface Place {
  readonly root: string
  readonly memory: Said<boolean>
  readonly seed: string | undefined
}

/**
 * Merges the command line, the file, the environment and the defaults, in this priority.
 * @throws {UsageError} for contradictory settings, whatever their sources
 */
export function settle(line: CommandLine, config: Config, file: ConfigFile | undefined, environment: Environment): CliOptions {
  const inFile = (key: keyof Config): string => `${JSON.stringify(key)}: ${JSON.stringify(config[key])} in ${file?.name}`
  const place = placeOf(line, config, inFile('memory'))
  const readOnly = choose(line.readOnly, '--read-only', config.readOnly, inFile('readOnly'), false)
  const shell = choose<ShellName>(
    line.shell,
    `--shell ${line.shell}`,
    config.shell,
    inFile('shell'),
    place.memory.value ? 'virtual' : 'none',
  )
  const js = choose<EngineName>(line.js, `--js ${line.js}`, config.js, inFile('js'), 'none')
  checkServed(line, config)
  checkBound(shell, place, readOnly, 'it cannot see', 'a real shell')
  checkBound(js, place, readOnly, 'its programs cannot see', 'a program')
  return {
    ...line,
    command: line.command ?? '',
    root: place.root,
    memory: place.memory.value,
    seed: place.seed,
    readOnly: readOnly.value,
    shell: shell.value,
    js: js.value,
    registry: registryOf(line, config, js, environment),
    preset: line.preset ?? config.preset ?? 'standard',
    configFile: file?.path,
    webSearch: config.webSearch,
    policy: config.policy ?? {},
    limits: config.limits ?? {},
    markData: config.markData ?? false,
    quotas: config.quotas,
    mcp: config.mcp ?? {},
    tools: config.tools ?? [],
    approver: config.approve,
    hooks: config.hooks ?? {},
    fetch: config.fetch,
  }
}

function choose<T>(given: T | undefined, said: string, configured: T | undefined, inFile: string, byDefault: T): Said<T> {
  if (given !== undefined) return { value: given, said }
  return configured === undefined ? { value: byDefault, said: '' } : { value: configured, said: inFile }
}

/**
 * Returns the workspace of a command. A directory on the command line overrides `memory` in the file, and `--memory` overrides a root in
 * the file.
 */
function placeOf(line: CommandLine, config: Config, inFile: string): Place {
  const configured = line.root === undefined && !line.rootFromClient && config.memory === true
  if (!line.memory && !configured) {
    if (line.seed !== undefined) throw new UsageError('--seed needs --memory')
    return { root: line.root ?? config.root ?? '.', memory: { value: false, said: '' }, seed: undefined }
  }
  const memory = { value: true, said: line.memory ? '--memory' : inFile }
  return { root: '.', memory, seed: line.seed ?? (config.memory ? config.seed : undefined) }
}

function checkServed({ command, root, memory, rootFromClient }: CommandLine, config: Config): void {
  if (command !== 'mcp' || root !== undefined || memory || rootFromClient || config.root !== undefined || config.memory) return
  throw new UsageError(
    '"mcp" serves no directory by itself: add --root DIR, --memory, or --config with a file that has one of them; or --root-from-client',
  )
}

/**
 * Rejects a real shell or real Node with a workspace in memory or in read-only mode, because their programs access the machine directly.
 */
function checkBound({ value, said }: Said<string>, { memory }: Place, readOnly: Said<boolean>, sees: string, who: string): void {
  if (value !== 'node') return
  if (memory.value) throw new UsageError(`${said} needs a real directory: ${sees} a workspace in memory (${memory.said})`)
  if (readOnly.value) throw new UsageError(`${said} excludes ${readOnly.said}: nothing would keep ${who} from writing`)
}

/**
 * Returns the address of the package registry. Without JavaScript, returns undefined and ignores the configuration file and the
 * environment, but rejects `--registry`.
 */
function registryOf(line: CommandLine, config: Config, js: Said<EngineName>, environment: Environment): string | undefined {
  if (js.value !== 'none') return line.registry ?? config.registry ?? (environment.TOOLPORT_REGISTRY || undefined)
  if (line.registry !== undefined) throw new UsageError('--registry needs --js')
  return undefined
}
