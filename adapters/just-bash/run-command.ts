import { ShellError } from '../../src/errors/index.js'
import type { Host } from '../../src/types/host.js'
import type { ShellExit, ShellOutput, ShellResult, ShellState } from '../../src/types/shell.js'
import type { BashFs } from '../../src/workspace/facades/to-bash-fs.js'
import { BashMessages, missingCommandHint } from './bash-messages.js'
import { ScriptText } from './byte-text.js'
import type { CommandFiles } from './command-files.js'
import { JobTable } from './jobs/table.js'
import { inside, type Library } from './library.js'
import type { CommandResult, ExecResult } from './library-types.js'
import { executionLimits, type JustBashLimits } from './limits.js'
import { Output } from './output.js'
import { StreamCopies } from './process/copies.js'
import { deliver } from './process/frames.js'
import { createHooks } from './process/interpreter-hooks.js'
import { Process } from './process/process.js'
import { isBinary } from './process/results.js'
import type { Running } from './process/running.js'
import { bytesOf, charge } from './process/script-output.js'
import { Refusals } from './refusals.js'
import type { SharedSlicer } from './shared-slicer.js'
import { ShellFs } from './shell-fs.js'
import { EndState } from './state/end-state.js'
import { checkedState } from './state/shape.js'
import type { Input } from './stdin/input.js'
import { INPUT } from './stdin/read.js'
import { Stop, type Stops } from './stop.js'
import { preparation } from './syntax/prepare.js'
import type { OutputFiles } from './syntax/streaming.js'

export interface Shell {
  readonly library: Library
  readonly commands: CommandFiles
  readonly fs: BashFs
  readonly host: Pick<Host, 'now' | 'random' | 'sleep'>
  readonly turns: SharedSlicer
  readonly limits: JustBashLimits
  readonly stops: Stops
  readonly files: OutputFiles
}

export interface Command {
  readonly command: string
  /** Absolute path of an existing directory. */
  readonly cwd: string
  /** The complete initial environment. */
  readonly env: Readonly<Record<string, string>>
  readonly state?: ShellState | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onOutput?: ((output: ShellOutput) => void) | undefined
  readonly maxBytes?: number | undefined
  readonly input: Input
  /** Whether the command runs in the background, without a time limit. */
  readonly endless: boolean
}

export interface RunningCommand {
  readonly process: Process
  readonly jobs: JobTable
  readonly ended: Promise<ShellResult & { readonly exit: ShellExit }>
}

const DEFAULT_MAX_BYTES = 262_144
/** The library's exit code for an exceeded limit. */
const LIMIT_STATUS = 126

/**
 * Runs one command in its own shell instance, which has its own limits and timeout.
 *
 * @throws {InputError} for a state from another shell; {ShellError} for any state if the build does not support it
 */
export function startCommand(shell: Shell, given: Command): RunningCommand {
  const { host, library, files } = shell
  const { command, cwd, env, signal, timeoutMs, onOutput, maxBytes = DEFAULT_MAX_BYTES, input, endless } = given
  if (given.state) needHooks(library, 'state')
  const state = new EndState(cwd, env, given.state && checkedState(given.state))
  const stop = new Stop(host, timeoutMs)
  const refusals = new Refusals()
  const messages = new BashMessages(command, refusals, stop)
  const text = new ScriptText(command, library.hooked)
  const output = new Output({ maxBytes, onOutput, reword: messages.reword.bind(messages), text })
  const copies = new StreamCopies(async (context, frame, result) => {
    const charged = charge(context, result)
    await deliver(frame, charged, running.sink)
    if (endless && !frame) context.executionScope.outputBytes -= bytesOf(charged)
  })
  const fs = new ShellFs({ fs: shell.fs, turns: shell.turns, commands: shell.commands, output, refusals, text, files, copies })
  const process = new Process(1, stop, input)
  let pid = process.pid
  const running: Running = {
    host,
    stop,
    sink: (result) => print(output, result),
    main: process,
    jobs: new JobTable(),
    shells: new Map(),
    endless,
    nextPid: () => ++pid,
    fail(message) {
      output.push('stderr', message)
      stop.begin('limit')
    },
  }

  const abort = (): void => stop.begin('abort')
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  shell.stops.add(stop)
  return { process, jobs: running.jobs, ended: finish() }

  async function finish(): Promise<ShellResult & { readonly exit: ShellExit }> {
    try {
      const ended = stop.reason === undefined ? await run() : undefined
      if (ended?.result) {
        if (outOfTime(ended.result)) stop.begin('timeout')
        // A build without hooks returns decoded text.
        if (library.hooked) print(output, ended.result)
        else {
          output.push('stdout', ended.result.stdout)
          output.push('stderr', ended.result.stderr)
        }
      } else if (ended) output.push('stderr', `bash: ${refusals.inBashWords(ended.error)}\n`)
      if (messages.missing !== undefined) output.push('stderr', missingCommandHint(messages.missing, library.names))
      const exit = exitOf(ended)
      const isKnown = stop.reason === undefined && ended !== undefined
      const end = isKnown ? state.after(ended.result, ended.exported) : state.begin
      if (state.tooLarge) output.push('stderr', STATE_TOO_LARGE)
      return {
        exitCode: exit.exitCode,
        ...output.finish(),
        timedOut: stop.reason === 'timeout',
        aborted: stop.reason === 'abort' || stop.reason === 'close',
        ...end,
        exit,
      }
    } finally {
      fs.closed = true
      stop.end()
      shell.stops.delete(stop)
      signal?.removeEventListener('abort', abort)
    }
  }

  function exitOf(ended: Ended | undefined): ShellExit {
    const own = ended?.result?.exitCode ?? 1
    const by = process.endedBy
    if (by) return { exitCode: process.endedStatus(own), signal: by }
    if (stop.reason === undefined) return { exitCode: own }
    return { exitCode: stop.reason === 'limit' ? LIMIT_STATUS : null }
  }

  /** Runs the command in the library. Resolves to undefined if the command did not end after a stop. */
  function run(): Promise<Ended | undefined> {
    const { hooked } = library
    const bash = new library.Bash({
      fs,
      cwd,
      env,
      commands: [],
      executionLimits: executionLimits(shell.limits, timeoutMs),
      // The library's default would replace globals of the whole process while a command runs.
      defenseInDepth: false,
      sleep: (ms) => stop.sleep(ms),
    })
    const own = inside(bash)
    own.commands = library.commands
    stop.govern(own.limits)
    const exported = own.state.exportedVars
    if (hooked) {
      const hooks = createHooks({
        running,
        copies,
        turn: (steps) => fs.turn(steps),
        failureOf: (error) => (fs.closed ? undefined : refusals.inBashWords(error)),
        begin: ({ context }) => state.open(context.state),
      })
      Object.assign(fs, hooks)
    } else bash.registerTransformPlugin(preparation(command, files, text))
    const { OLDPWD } = env
    const stdin = hooked ? INPUT : input.takeAll()
    const ended = bash.exec(command, {
      rawScript: true,
      stdin,
      stdinKind: 'bytes',
      // The library reads the target of `cd -` only from this option.
      ...(OLDPWD !== undefined && { env: { OLDPWD } }),
    })
    return Promise.race([
      ended.then(
        (result) => ({ result, exported }),
        (error: unknown) => ({ error, exported }),
      ),
      stop.overdue,
    ])
  }
}

interface Ended {
  readonly result?: ExecResult
  readonly error?: unknown
  readonly exported: ReadonlySet<string>
}

const STATE_TOO_LARGE =
  'bash: variables and functions are more than 8 MiB: the next command begins without them (unset what is large, or keep it in a file).\n'

function print(output: Output, result: CommandResult): void {
  output.write('stdout', result.stdout, isBinary(result))
  output.write('stderr', result.stderr, false)
}

/** Whether the library's own timeout ended the command. This happens if a command never yields to the timer of `Stop`. */
function outOfTime({ exitCode, stderr }: ExecResult): boolean {
  return exitCode === 124 && /^bash: .* exceeded (?:its )?execution deadline/m.test(stderr)
}

/** @throws {ShellError} `unavailable` for a build without hooks */
export function needHooks({ hooked }: Library, what: string): void {
  if (!hooked)
    throw new ShellError('unavailable', `The virtual shell has no ${what} with another build of just-bash: leave out the "load" option.`)
}
