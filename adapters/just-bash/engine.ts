import { ShellError } from '../../src/errors/index.js'
import { checkRoom } from '../../src/ops/pending-input.js'
import { startOnce } from '../../src/ops/start-once.js'
import { utf8Length } from '../../src/ops/utf8.js'
import type { Host } from '../../src/types/host.js'
import type { ShellCommand, ShellExecOptions, ShellProcess, ShellResult, ShellSpawnOptions } from '../../src/types/shell.js'
import type { BashFs } from '../../src/workspace/facades/to-bash-fs.js'
import { CommandFiles } from './command-files.js'
import type { LocatedJq } from './commands/jq/module.js'
import { type JustBashModule, loadLibrary } from './library.js'
import type { JustBashLimits } from './limits.js'
import { needHooks, type RunningCommand, type Shell, startCommand } from './run-command.js'
import { SharedSlicer } from './shared-slicer.js'
import { Input } from './stdin/input.js'
import { Stops } from './stop.js'
import { outputFiles } from './syntax/streaming.js'

/** Options of `createEngine`. */
export interface EngineOptions {
  /** `toBashFs` over the workspace, or a remote replacement in a worker. */
  readonly fs: BashFs
  readonly host: Pick<Host, 'now' | 'sleep' | 'yield' | 'random'>
  readonly limits: JustBashLimits
  /** Whether `/usr/bin` or `/bin` may already contain files. */
  readonly extended: boolean
  /** Loads the build of just-bash. Default: the build in this package. */
  readonly load?: (() => Promise<JustBashModule>) | undefined
  /** Names of the only available commands. Default: all. */
  readonly allow?: readonly string[] | undefined
  /** Commands in addition to those of the build. */
  readonly commands?: readonly ShellCommand[] | undefined
  /** Where to find the WebAssembly of jq. Without this, `jq` fails. */
  readonly jq?: LocatedJq | undefined
}

/** A command for `Engine.exec`. */
export interface EngineCall {
  readonly command: string
  /** Absolute path of an existing directory. */
  readonly cwd: string
  /** The complete initial environment. */
  readonly env: Readonly<Record<string, string>>
  /** The fields `cwd` and `env` of these options are ignored. */
  readonly options: ShellExecOptions
}

/** A command for `Engine.spawn`. */
export interface EngineSpawn extends Omit<EngineCall, 'options'> {
  readonly options: ShellSpawnOptions
}

/** Runs commands on a file system, without a workspace. Arguments and results are plain data, except for functions and the signal. */
export interface Engine {
  /** @throws {ShellError} unavailable */
  open(): Promise<{ readonly names: readonly string[] }>
  exec(call: EngineCall): Promise<ShellResult>
  /** @throws {ShellError} unavailable, spawn_failed */
  spawn(call: EngineSpawn): Promise<ShellProcess>
  /** Ends all running commands. */
  close(): Promise<void>
}

/** Creates the engine of the virtual shell: just-bash over a filesystem, without a workspace. It loads the library on first use. */
export function createEngine({ fs, host, limits, extended, ...source }: EngineOptions): Engine {
  const stops = new Stops()
  const files = outputFiles(host.random())
  let opened: Shell | undefined

  // After a failure, the next call retries: a chunk may have failed to load.
  const open = startOnce(async (): Promise<Shell> => {
    const library = await loadLibrary({ host, ...source })
    opened = { library, commands: new CommandFiles(library.names, extended), fs, host, turns: new SharedSlicer(host), limits, stops, files }
    return opened
  })
  const ready = (): Shell | Promise<Shell> => {
    if (stops.closed) throw new ShellError('unavailable', 'The shell is closed.')
    return opened ?? open()
  }

  return {
    async open() {
      return { names: (await ready()).library.names }
    },
    async exec({ command, cwd, env, options }) {
      // After `close`, an open engine returns an aborted result instead of an error.
      const shell = opened ?? (await ready())
      const { stdin = '', ...rest } = options
      const { exit: _, ...result } = await startCommand(shell, { ...rest, command, cwd, env, input: new Input(stdin), endless: false })
        .ended
      return result
    },
    async spawn({ command, cwd, env, options }) {
      const shell = await ready()
      needHooks(shell.library, 'sessions')
      const { state, signal, onOutput } = options
      const input = new Input()
      const running = startCommand(shell, { command, cwd, env, state, signal, onOutput, input, maxBytes: 0, endless: true })
      return shellProcess(running, input)
    },
    async close() {
      stops.close()
    },
  }
}

/**
 * Maximum number of input bytes that wait to be read. More than in other shells, because a program that reads its whole input starts only
 * when the input has ended.
 */
const MAX_WAITING = 8 * 1024 * 1024

/** Wraps a running command as the `ShellProcess` that the caller gets. */
function shellProcess({ process, ended, jobs }: RunningCommand, input: Input): ShellProcess {
  let over = false
  const exited = ended.then(
    ({ exit }) => exit,
    () => ({ exitCode: 1 }),
  )
  void exited.then(() => {
    over = true
  })
  const check = (): void => {
    if (over || input.closed) throw new ShellError('not_running', over ? 'The command has ended.' : 'The input of the command is closed.')
  }
  return {
    transport: 'pipe',
    exited,
    async write(text) {
      check()
      checkRoom(input.waiting, utf8Length(text), MAX_WAITING)
      input.write(text)
    },
    async closeInput() {
      if (!over) input.close()
    },
    async kill(signal) {
      if (over) return
      for (const job of [...jobs.all()]) if (job.status === undefined) job.process.signal(signal)
      process.signal(signal)
    },
  }
}
