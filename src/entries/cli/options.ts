import type { RuntimeHooks, RuntimePolicy } from '../../types/runtime.js'
import type { Config } from './config/config.js'
import type { ApprovalName, EngineName, FormatName, ShellName } from './names.js'

/** Thrown for an invalid command line or environment. The message says what is wrong. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** The command whose usage is shown below the message; '' for the general usage. */
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super(message)
    this.command = command
  }
}

/** The parsed command line. Undefined or false: the option is absent. */
export interface CommandLine {
  readonly command: string | undefined
  readonly operands: readonly string[]
  readonly root: string | undefined
  /** `mcp` only: all --root directories. Several are mounted below the root. */
  readonly roots: readonly string[]
  /** `mcp` only, as the following options. */
  readonly http: boolean
  readonly port: number | undefined
  readonly noToken: boolean
  readonly compact: boolean
  /** Names and groups of the tools to offer. Undefined: as the configuration file says; default all. */
  readonly offer: readonly string[] | undefined
  readonly noCheckpoints: boolean
  readonly memory: boolean
  /** `mcp` only: the client names the root. */
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
  /** Whether the code of the configuration file in the current directory may run, now and later. */
  readonly trust: boolean
  readonly json: boolean
  /** `tools` only, as `strict`. */
  readonly format: FormatName | undefined
  readonly strict: boolean
  /** Maximum number of concurrent calls of `run` or cases of `eval`. Undefined: the default of the command. */
  readonly parallel: number | undefined
  readonly bail: boolean
  /** `eval` only: runs the cases whose names contain this text. */
  readonly filter: string | undefined
  /** Timeout of a single call in milliseconds. */
  readonly timeoutMs: number | undefined
  /**
   * Who approves calls. Undefined: `approve` of the configuration file. Without that, the MCP client for `mcp`, otherwise the terminal, if
   * there is one.
   */
  readonly approve: ApprovalName | undefined
  readonly help: boolean
  readonly version: boolean
}

/** The settings of a command. The command line overrides the configuration file, which overrides the environment and the defaults. */
export interface CliOptions extends Omit<CommandLine, 'config' | 'noConfig' | 'help' | 'version'> {
  readonly command: string
  readonly root: string
  readonly readOnly: boolean
  readonly shell: ShellName
  readonly js: EngineName
  readonly preset: string
  /** Absolute path of the configuration file. */
  readonly configFile: string | undefined
  /** Settings that only the file can have. */
  readonly webSearch: Config['webSearch']
  readonly policy: NonNullable<Config['policy']>
  readonly limits: NonNullable<Config['limits']>
  readonly markData: boolean
  readonly quotas: Config['quotas']
  readonly mcp: NonNullable<Config['mcp']>
  readonly tools: NonNullable<Config['tools']>
  readonly approver: RuntimePolicy['approve']
  readonly hooks: RuntimeHooks
  readonly fetch: Config['fetch']
}

/** Returns the only operand. @throws {UsageError} for none or several */
export function soleOperand(
  options: { readonly command?: string | undefined; readonly operands: readonly string[] },
  what: string,
): string {
  const [operand, extra] = options.operands
  if (operand === undefined) throw new UsageError(`"${options.command}" needs ${what}`, options.command)
  if (extra !== undefined) throw new UsageError(`"${options.command}" takes ${what} and nothing more, not "${extra}"`)
  return operand
}
