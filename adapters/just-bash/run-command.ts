import type { Host } from '../../src/types/host.js'
import type { ShellExecOptions, ShellResult } from '../../src/types/shell.js'
import type { BashFs } from '../../src/workspace/facades/to-bash-fs.js'
import { ScriptText } from './byte-text.js'
import type { CommandFiles } from './command-files.js'
import { EndState } from './end-state.js'
import { inside, type Library } from './library.js'
import type { ExecResult } from './library-types.js'
import { executionLimits, type JustBashLimits } from './limits.js'
import { Mender } from './mender.js'
import { missingCommandHint } from './missing-commands.js'
import { Output } from './output.js'
import { Refusals } from './refusals.js'
import { ShellFs } from './shell-fs.js'
import { Stop, type Stops } from './stop.js'
import { preparation } from './syntax/prepare.js'
import type { OutputFiles } from './syntax/streaming.js'

export interface Shell {
  readonly library: Library
  readonly commands: CommandFiles
  readonly fs: BashFs
  readonly host: Host
  readonly limits: JustBashLimits
  readonly stops: Stops
  readonly files: OutputFiles
}

export interface ShellCall {
  readonly command: string
  /** Absolute, and there. */
  readonly cwd: string
  /** All that the command begins with. */
  readonly env: Readonly<Record<string, string>>
  readonly options: ShellExecOptions
}

const DEFAULT_MAX_BYTES = 262_144

/** Runs one command in a shell of its own: limits and timeout are those of the instance, and none sees another's. */
export async function runCommand(shell: Shell, { command, cwd, env, options }: ShellCall): Promise<ShellResult> {
  const { host, library, files } = shell
  const { signal, timeoutMs, stdin, onOutput, maxBytes = DEFAULT_MAX_BYTES } = options
  const stop = new Stop(host, timeoutMs)
  const refusals = new Refusals()
  const mender = new Mender(command, refusals, stop)
  const text = new ScriptText(command)
  const output = new Output({ maxBytes, onOutput, mend: mender.mend.bind(mender), text })
  const state = new EndState(cwd, env)
  const fs = new ShellFs({ fs: shell.fs, host, commands: shell.commands, output, refusals, text, state, files })

  const abort = (): void => stop.begin('abort')
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  shell.stops.add(stop)

  try {
    const ended = stop.reason === undefined ? await run() : undefined
    if (ended?.result) {
      if (outOfTime(ended.result)) stop.begin('timeout')
      output.push('stdout', ended.result.stdout)
      output.push('stderr', ended.result.stderr)
    } else if (ended) output.push('stderr', `bash: ${refusals.inBashWords(ended.error)}\n`)
    if (mender.missing !== undefined) output.push('stderr', missingCommandHint(mender.missing, library.names))
    const stopped = stop.reason
    return {
      exitCode: stopped === undefined ? (ended?.result?.exitCode ?? 1) : null,
      ...output.finish(),
      timedOut: stopped === 'timeout',
      aborted: stopped === 'abort' || stopped === 'close',
      ...(stopped === undefined && ended ? state.after(ended.result, ended.exported) : state.begin),
    }
  } finally {
    fs.closed = true
    stop.end()
    shell.stops.delete(stop)
    signal?.removeEventListener('abort', abort)
  }

  /** Undefined: it did not end after it was stopped. */
  function run(): Promise<Ended | undefined> {
    const bash = new library.Bash({
      fs,
      cwd,
      env,
      commands: [],
      executionLimits: executionLimits(shell.limits, timeoutMs),
      // It replaces globals of the whole process while a command runs.
      defenseInDepth: false,
      sleep: (ms) => stop.sleep(ms),
    })
    const own = inside(bash)
    own.commands = library.commands
    stop.govern(own.limits)
    bash.registerTransformPlugin(preparation(command, files, text))
    const { OLDPWD } = env
    const exported = own.state.exportedVars
    const running = bash.exec(command, {
      rawScript: true,
      ...(stdin !== undefined && { stdin }),
      // Where `cd -` leads is taken from here only.
      ...(OLDPWD !== undefined && { env: { OLDPWD } }),
    })
    return Promise.race([
      running.then(
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

/** The library's own deadline: what ran was one command that never looked up. */
function outOfTime({ exitCode, stderr }: ExecResult): boolean {
  return exitCode === 124 && /^bash: .* exceeded (?:its )?execution deadline/m.test(stderr)
}
