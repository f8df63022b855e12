import type { Host } from '../../../../src/types/host.js'
import type { BashFs } from '../../../../src/workspace/facades/to-bash-fs.js'
import type { CommandResult, Piece } from '../../library-types.js'
import type { Mend } from '../../process/interpreter-context.js'
import { type PortContext, portOf } from './port.js'

/** The context that the library passes to a command. */
export interface CommandContext extends PortContext {
  readonly fs: BashFs
  readonly cwd: string
  /** All variables. `exportedEnv` has only those that a program would see. */
  readonly env: ReadonlyMap<string, string>
  readonly exportedEnv?: Readonly<Record<string, string>>
  /** Standard input, one character per byte. */
  readonly stdin: string
  readonly signal?: AbortSignal
  readonly limits: Readonly<Record<string, number>>
  /** The budget of the whole script. */
  readonly executionScope?: {
    /** @throws if the budget is used up, as after a stop */
    consumeWork(units: number): unknown
    /** @throws above the limit, which ends the script */
    consumeLimited?(kind: string, units: number, limit: number, what: string): unknown
  }
  /** Clock, random numbers and scheduling of the workspace (`withHost`). Default: those of the runtime. */
  readonly host?: Host
  /** Resolves after the given time, or early if the script is stopped. */
  readonly sleep?: (ms: number) => Promise<void>
  /** Runs a script in a subshell. `args` are appended to its first command without expansion. */
  readonly exec?: (command: string, options: SubshellOptions) => Promise<CommandResult>
  /** Sets a variable of the script. `subscript`: sets an element of an array. */
  readonly assignShellVariable?: (name: string, value: string, subscript?: string) => Promise<void>
  /** The library's own command with this name, if any. */
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
  /** `bytes`: `stdout` has one character per byte. */
  readonly stdoutKind?: 'text' | 'bytes'
}

/** A command of this adapter in the library's format. */
export interface OwnCommand {
  readonly name: string
  execute(args: string[], context: CommandContext): Promise<OwnResult>
}

export const printed = (stdout: string): OwnResult => ({ stdout, stderr: '', exitCode: 0, stdoutKind: 'text' })
export const printedBytes = (stdout: string): OwnResult => ({ stdout, stderr: '', exitCode: 0, stdoutKind: 'bytes' })
export const failed = (stderr: string, exitCode = 1): OwnResult => ({ stdout: '', stderr, exitCode, stdoutKind: 'text' })

/** @param pieces in printing order, one character per byte */
export function inOrder(pieces: readonly Piece[], exitCode: number): OwnResult {
  const stdout = pieces.map((piece) => piece.stdout).join('')
  const stderr = pieces.map((piece) => piece.stderr).join('')
  return { stdout, stderr, exitCode, stdoutKind: 'bytes', ...(pieces.length > 1 && stdout !== '' && stderr !== '' && { pieces }) }
}

/** Runs `body` and streams the output of its script to the command's own output. The result does not contain this output. */
export function passing(
  context: CommandContext,
  body: () => Promise<CommandResult>,
  mend: Mend = same,
  hidden: readonly string[] = [],
): Promise<CommandResult> {
  return portOf(context)?.passing(body, mend, hidden) ?? body().then(mend)
}

const same: Mend = (result) => result

/** Replaces the message "command not found" with the words of the command that tried to run the program. */
export const missingWords = (result: CommandResult, words: string): CommandResult =>
  result.exitCode === 127 && result.stderr.endsWith(': command not found\n') ? { ...result, stderr: words } : result
