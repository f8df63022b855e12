import type { RuntimeHooks, RuntimePolicy } from '../../types/runtime.js'
import type { Config } from './config/config.js'
import type { ApprovalName, EngineName, FormatName, ShellName } from './names.js'

/** The command line, or what it stands on, is wrong. The message says how. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** The command whose usage is shown below the message; '' for that of all. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** What was written; undefined or false: it was not. */
export interface CommandLine {
  readonly command: string | undefined
  readonly operands: readonly string[]
  readonly root: string | undefined
  /** Of `mcp`: all directories that --root names, each a mount below the root where there are several. */
  readonly roots: readonly string[]
  /** Of `mcp`. */
  readonly http: boolean
  readonly port: number | undefined
  readonly noToken: boolean
  readonly compact: boolean
  /** Names and groups of the tools to offer. */
  readonly offer: readonly string[] | undefined
  readonly noCheckpoints: boolean
  readonly memory: boolean
  /** Of `mcp`: the client says which. */
  readonly rootFromClient: boolean
  readonly seed: string | undefined
  readonly readOnly: boolean | undefined
  readonly shell: ShellName | undefined
  readonly js: EngineName | undefined
  /** Address of the package registry. */
  readonly registry: string | undefined
  readonly preset: string | undefined
  readonly config: string | undefined
  readonly noConfig: boolean
  /** The code of the configuration file in the current directory may run, now and later. */
  readonly trust: boolean
  readonly json: boolean
  /** Of `tools`. */
  readonly format: FormatName | undefined
  readonly strict: boolean
  /** Calls of `run`, or cases of `eval`, that may be under way; undefined: the default of the command. */
  readonly parallel: number | undefined
  readonly bail: boolean
  /** Of `eval`: a part of the names of the cases. */
  readonly filter: string | undefined
  /** Of one call. */
  readonly timeoutMs: number | undefined
  /** Who answers what the policy asks; undefined: the file's `approve`, else a terminal, where there is one. */
  readonly approve: ApprovalName | undefined
  readonly help: boolean
  readonly version: boolean
}

/** What a command works with: the command line, over the configuration file, over the environment, over the defaults. */
export interface CliOptions extends Omit<CommandLine, 'config' | 'noConfig' | 'trust' | 'help' | 'version'> {
  readonly command: string
  readonly root: string
  readonly readOnly: boolean
  readonly shell: ShellName
  readonly js: EngineName
  readonly preset: string
  /** Absolute path of the configuration file. */
  readonly configFile: string | undefined
  /** Of the file: what no option of the command line says. */
  readonly webSearch: Config['webSearch']
  readonly policy: NonNullable<Config['policy']>
  readonly limits: NonNullable<Config['limits']>
  readonly quotas: Config['quotas']
  readonly mcp: NonNullable<Config['mcp']>
  readonly tools: NonNullable<Config['tools']>
  readonly approver: RuntimePolicy['approve']
  readonly hooks: RuntimeHooks
  readonly fetch: Config['fetch']
}

/** Exactly one operand. @throws {UsageError} */
export function soleOperand(
  options: { readonly command?: string | undefined; readonly operands: readonly string[] },
  what: string,
): string {
  const [operand, extra] = options.operands
  if (operand === undefined) throw new UsageError(`"${options.command}" needs ${what}`, options.command)
  if (extra !== undefined) throw new UsageError(`"${options.command}" takes ${what} and nothing more, not "${extra}"`)
  return operand
}
