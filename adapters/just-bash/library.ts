import { ShellError } from '../../src/errors/index.js'
import type { Host } from '../../src/types/host.js'
import type { ShellCommand } from '../../src/types/shell.js'
import type { LocatedJq } from './commands/jq/module.js'
import { injectedCommands } from './commands/shared/injected.js'
import type { Bash } from './library-types.js'
import { loadChunk } from './load-chunk.js'

/** A build of just-bash 3.4 or later, as returned by `import('just-bash')`. */
export interface JustBashModule {
  readonly Bash: new (...options: never[]) => object
  getCommandNames(): string[]
}

export interface Library {
  readonly Bash: typeof Bash
  /** Whether it calls `InterpreterHooks`, as the bundled build does. */
  readonly hooked: boolean
  /** Sorted names of the working commands. */
  readonly names: readonly string[]
  /** The commands, shared between shells: creating them is most of the cost of creating a shell. */
  readonly commands: ReadonlyMap<string, unknown>
}

/** Members of `Bash` that its public types do not declare. They are the live objects of the running shell. */
export interface BashInside {
  commands: ReadonlyMap<string, unknown>
  readonly limits: Record<string, unknown>
  readonly state: { readonly exportedVars: ReadonlySet<string> }
}

export const inside = (bash: object): BashInside => bash as unknown as BashInside

/** Commands of the bundled build that always fail, because they need Node's compression or workers. */
const BROKEN = new Set(['tar', 'yq', 'xan', 'sqlite3', 'python', 'python3', 'js-exec', 'html-to-markdown'])

export interface LibrarySource {
  /** Clock and random numbers for this adapter's own commands. */
  readonly host: Host
  readonly load?: (() => Promise<JustBashModule>) | undefined
  readonly allow?: readonly string[] | undefined
  readonly commands?: readonly ShellCommand[] | undefined
  readonly jq?: LocatedJq | undefined
}

/** @throws {ShellError} `unavailable` if the module cannot be loaded, or `allow` names an unknown command */
export async function loadLibrary({ host, load, allow, commands = [], jq }: LibrarySource): Promise<Library> {
  const module = await (load ? loadChunk(load(), OWN_BUILD_FAILED) : loadChunk(bundled()))
  const { jqCommand, ownCommands, withHost } = await loadChunk(import('./commands/index.js'))
  const bundledNames = module.getCommandNames()
  const working = load ? bundledNames : bundledNames.filter((name) => !BROKEN.has(name))
  const ours = [...ownCommands, jqCommand(jq), ...injectedCommands(commands)]
  const names = [...new Set([...working, ...ours.map(({ name }) => name)])]
  const unknown = allow?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new ShellError('unavailable', `The virtual shell has no command "${unknown}" to allow.`)
  const kept = (allow ?? names).toSorted()
  const Shell = module.Bash as typeof Bash
  const shell = new Shell({
    fs: {},
    cwd: '/',
    commands: kept.filter((name) => bundledNames.includes(name)),
    customCommands: withHost(ours, host).filter(({ name }) => kept.includes(name)),
  })
  return { Bash: Shell, hooked: 'hooked' in module, names: kept, commands: inside(shell).commands }
}

const OWN_BUILD_FAILED = 'The virtual shell could not be loaded: install the just-bash package, or leave out the "load" option.'

const bundled = (): Promise<JustBashModule> => import('#just-bash')
