import type { Host } from '../../../../src/types/host.js'
import type { BashFs } from '../../../../src/workspace/facades/to-bash-fs.js'
import type { CommandResult, Piece } from '../../library-types.js'
import type { Mend } from '../../process/interpreter-context.js'
import type { ProgramPort } from '../../process/program-port.js'

/** What the library gives a command. */
export interface CommandContext {
  readonly fs: BashFs
  readonly cwd: string
  /** Every variable; `exportedEnv` has those that a program would see. */
  readonly env: ReadonlyMap<string, string>
  readonly exportedEnv?: Readonly<Record<string, string>>
  /** Bytes, one character each. */
  readonly stdin: string
  readonly signal?: AbortSignal
  readonly limits: Readonly<Record<string, number>>
  /** What the whole script may do. */
  readonly executionScope?: {
    /** @throws when there is no work left: a script that was stopped has none */
    consumeWork(units: number): unknown
    /** @throws beyond the limit: then the script ends, with this error */
    consumeLimited?(kind: string, units: number, limit: number, what: string): unknown
  }
  /** Of the workspace (`withHost`); where it is missing, the runtime's own. */
  readonly host?: Host
  /** Waits; ends early when the script is stopped. */
  readonly sleep?: (ms: number) => Promise<void>
  /** Runs a script in a subshell of this one. `args` are added to its first command as they are. */
  readonly exec?: (command: string, options: SubshellOptions) => Promise<CommandResult>
  /** Gives the port of the program, while it runs: not with another build of the library. */
  readonly invokeTool?: (receive: (port: ProgramPort) => void) => void
  /** Sets a variable of the script, with its attributes. `subscript`: of an array. */
  readonly assignShellVariable?: (name: string, value: string, subscript?: string) => Promise<void>
  /** The library's own command of this name, where there is one. */
  readonly origCommand?: (args: string[]) => Promise<CommandResult>
}

export interface SubshellOptions {
  readonly cwd: string
  readonly env?: Record<string, string>
  readonly replaceEnv?: boolean
  readonly stdin?: string
  readonly stdinKind?: 'text' | 'bytes'
  readonly args?: string[]
  readonly signal?: AbortSignal
}

export interface OwnResult extends CommandResult {
  /** `bytes`: `stdout` is one character a byte. */
  readonly stdoutKind?: 'text' | 'bytes'
}

/** A command of our own, in the library's form. */
export interface OwnCommand {
  readonly name: string
  execute(args: string[], context: CommandContext): Promise<OwnResult>
}

export const printed = (stdout: string): OwnResult => ({ stdout, stderr: '', exitCode: 0, stdoutKind: 'text' })
export const printedBytes = (stdout: string): OwnResult => ({ stdout, stderr: '', exitCode: 0, stdoutKind: 'bytes' })
export const failed = (stderr: string, exitCode = 1): OwnResult => ({ stdout: '', stderr, exitCode, stdoutKind: 'text' })

/** @param pieces in the order in which they were printed; output is one character a byte */
export function inOrder(pieces: readonly Piece[], exitCode: number): OwnResult {
  const stdout = pieces.map((piece) => piece.stdout).join('')
  const stderr = pieces.map((piece) => piece.stderr).join('')
  return { stdout, stderr, exitCode, stdoutKind: 'bytes', ...(pieces.length > 1 && stdout !== '' && stderr !== '' && { pieces }) }
}

/** The script that `body` runs prints where the command prints, as it comes, and nothing of it is in the result. */
export function passing(
  context: CommandContext,
  body: () => Promise<CommandResult>,
  mend: Mend = same,
  hidden: readonly string[] = [],
): Promise<CommandResult> {
  return portOf(context)?.passing(body, mend, hidden) ?? body().then(mend)
}

const same: Mend = (result) => result

/** The result of a program that there is not, in the words of the one that was to run it. */
export const missingWords = (result: CommandResult, words: string): CommandResult =>
  result.exitCode === 127 && result.stderr.endsWith(': command not found\n') ? { ...result, stderr: words } : result

/** While the command runs; undefined with another build of the library. */
export function portOf({ invokeTool }: CommandContext): ProgramPort | undefined {
  let port: ProgramPort | undefined
  invokeTool?.((given) => {
    port = given
  })
  return port
}
