import { FsError } from '../../../../src/errors/index.js'
import type {
  ShellCommand,
  ShellCommandContext,
  ShellCommandInput,
  ShellCommandResult,
  ShellCommandSource,
} from '../../../../src/types/shell.js'
import type { Workspace } from '../../../../src/types/workspace.js'
import type { ProgramPort } from '../../process/program-port.js'
import { binaryOf, bytesOf } from './bytes.js'
import type { CommandContext, OwnCommand, OwnResult } from './command.js'
import { portOf } from './port.js'
import { isBuiltin } from './shell-words.js'

const NAME = /^[A-Za-z0-9_][\w.+:@-]*$/

/**
 * Creates the custom commands of a shell.
 *
 * @throws {TypeError} for an invalid name, a keyword or builtin of bash, and a duplicate name
 */
export function commandsFor(sources: readonly ShellCommandSource[], workspace: Workspace): readonly ShellCommand[] {
  const names = new Set<string>()
  return sources.map((source) => {
    const command = typeof source === 'function' ? source(workspace) : source
    checkCommand(command)
    if (names.has(command.name)) throw new TypeError(`Two commands of the shell are named "${command.name}": leave one out.`)
    names.add(command.name)
    return command
  })
}

/** Converts custom commands to the library's format. They replace library commands of the same name. */
export const injectedCommands = (commands: readonly ShellCommand[]): readonly OwnCommand[] => commands.map(injected)

function checkCommand(command: ShellCommand): void {
  const { name, run } = command ?? {}
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} is no name for a command of the shell: use letters, digits, "_", "-" and ".".`)
  }
  if (isBuiltin(name))
    throw new TypeError(`The command "${name}" would never run: bash has a word or builtin of that name. Name it otherwise.`)
  if (typeof run !== 'function') throw new TypeError(`The command "${name}" has no "run" function.`)
}

function injected(command: ShellCommand): OwnCommand {
  const { name } = command
  return {
    name,
    async execute(args, context) {
      const port = portOf(context)
      const result = await resultOf(command, args, toContext(context, port))
      // The script exceeded its output limit, so it must end.
      if (port?.failure !== undefined) throw port.failure
      return result
    },
  }
}

async function resultOf(command: ShellCommand, args: readonly string[], context: ShellCommandContext): Promise<OwnResult> {
  try {
    return toResult((await command.run(args, context)) ?? {})
  } catch (error) {
    return { stdout: '', stderr: `${command.name}: ${messageOf(error)}\n`, exitCode: 1, stdoutKind: 'text' }
  }
}

function toContext(context: CommandContext, port: ProgramPort | undefined): ShellCommandContext {
  const { cwd, exportedEnv, fs } = context
  let stdin: Uint8Array | undefined
  const whole = (): Uint8Array => {
    stdin ??= bytesOf(context.stdin)
    return stdin
  }
  const signals = [context.signal, port?.signal].filter((signal) => signal !== undefined)
  return {
    cwd,
    env: { ...exportedEnv },
    // A getter, because reading the input takes it away from later commands, such as `read` in a loop.
    get stdin() {
      return whole()
    },
    signal: signals.length === 1 ? (signals[0] as AbortSignal) : AbortSignal.any(signals),
    fs,
    ...(port && {
      print: (output: ShellCommandResult) => port.print(toResult(output)),
      input: inputOf(port, whole),
      ...(port.timeLeftMs !== undefined && { timeLeftMs: port.timeLeftMs }),
    }),
  }
}

function inputOf(port: ProgramPort, whole: () => Uint8Array): ShellCommandInput {
  let ended = false
  return {
    kind: port.kind,
    async next() {
      if (ended) return undefined
      const piece = await port.next()
      if (typeof piece === 'string') return bytesOf(piece)
      ended = true
      const bytes = piece === undefined ? undefined : whole()
      return bytes?.length ? bytes : undefined
    },
  }
}

function toResult({ stdout = '', stderr = '', exitCode = 0 }: ShellCommandResult): OwnResult {
  const isText = typeof stdout === 'string'
  return {
    stdout: isText ? stdout : binaryOf(stdout),
    stderr,
    // Exit codes of processes have eight bits.
    exitCode: Number.isInteger(exitCode) ? exitCode & 0xff : 1,
    stdoutKind: isText ? 'text' : 'bytes',
  }
}

function messageOf(failure: unknown): string {
  // The shell's file system shortens messages. The cause still has the full message.
  const error = FsError.is(failure) && FsError.is(failure.cause) ? failure.cause : failure
  return error instanceof Error ? error.message : String(error)
}
