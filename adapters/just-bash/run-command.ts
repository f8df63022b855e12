import type { ExecResult, HostCommand } from '#just-bash'
import type { Host } from '../../src/types/host.js'
import type { ShellExecOptions, ShellResult } from '../../src/types/shell.js'
import type { BashFs } from '../../src/workspace/facades/to-bash-fs.js'
import { textReader } from './byte-text.js'
import type { CommandFiles } from './command-files.js'
import { EndState } from './end-state.js'
import { inside, type Library } from './library.js'
import { executionLimits, type JustBashLimits } from './limits.js'
import { Mender } from './mender.js'
import { missingCommandHint } from './missing-commands.js'
import { Output } from './output.js'
import { inBashWords, Refusals } from './refusals.js'
import { ShellFs } from './shell-fs.js'
import { Stop } from './stop.js'
import { preparation } from './syntax/prepare.js'
import { TURN_COMMAND } from './syntax/turns.js'

export interface Shell {
  readonly library: Library
  readonly commands: CommandFiles
  readonly fs: BashFs
  readonly host: Host
  readonly limits: JustBashLimits
  /** Aborts when the shell is closed. */
  readonly closing: AbortSignal
}

export interface ShellCall extends Omit<ShellExecOptions, 'cwd' | 'env' | 'maxBytes'> {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly maxBytes: number
}

/** Runs one command in a shell of its own: limits and timeout are those of the instance, and none sees another's. */
export async function runCommand(shell: Shell, call: ShellCall): Promise<ShellResult> {
  const { host, library } = shell
  const stop = new Stop(host, call.timeoutMs)
  const refusals = new Refusals()
  const mender = new Mender(call.command, refusals, stop)
  const textOf = textReader(call.command)
  const mend = mender.mend.bind(mender)
  const output = new Output({ maxBytes: call.maxBytes, onOutput: call.onOutput, mend, textOf })
  const fs = new ShellFs({ fs: shell.fs, host, commands: shell.commands, output, refusals, textOf })
  const state = new EndState(call.cwd, call.env)

  const abort = (): void => stop.begin('abort')
  const close = (): void => stop.begin('close')
  call.signal?.addEventListener('abort', abort, { once: true })
  shell.closing.addEventListener('abort', close, { once: true })
  if (call.signal?.aborted) abort()
  else if (shell.closing.aborted) close()

  try {
    const ended = stop.reason === undefined ? await run() : undefined
    if (ended?.result) {
      if (outOfTime(ended.result)) stop.begin('timeout')
      output.push('stdout', ended.result.stdout)
      output.push('stderr', ended.result.stderr)
    } else if (ended) output.push('stderr', `bash: ${inBashWords(ended.error)}\n`)
    if (mender.missing !== undefined) output.push('stderr', missingCommandHint(mender.missing, library.names))
    const stopped = stop.reason
    return {
      exitCode: stopped === undefined ? (ended?.result?.exitCode ?? 1) : null,
      ...output.finish(),
      timedOut: stopped === 'timeout',
      aborted: stopped === 'abort' || stopped === 'close',
      ...(stopped === undefined && ended?.result ? state.after(ended.result) : state.begin),
    }
  } finally {
    fs.closed = true
    stop.end()
    call.signal?.removeEventListener('abort', abort)
    shell.closing.removeEventListener('abort', close)
  }

  /** Undefined: it did not end after it was stopped. */
  function run(): Promise<{ readonly result?: ExecResult; readonly error?: unknown } | undefined> {
    const turn: HostCommand = {
      name: TURN_COMMAND.slice(TURN_COMMAND.lastIndexOf('/') + 1),
      async execute(_args, context) {
        await fs.turn()
        return { stdout: '', stderr: '', exitCode: Number(context.env.get('?') ?? 0) }
      },
    }
    const bash = new library.Bash({
      fs,
      cwd: call.cwd,
      env: { ...call.env },
      commands: [],
      customCommands: [turn, state.command],
      executionLimits: executionLimits(shell.limits, call.timeoutMs),
      // It replaces globals of the whole process while a command runs.
      defenseInDepth: false,
      sleep: (ms) => stop.sleep(ms),
    })
    const { commands, limits, state: live } = inside(bash)
    for (const [name, each] of library.commands) commands.set(name, each)
    stop.govern(limits)
    state.watch(live.exportedVars)
    bash.registerTransformPlugin(preparation(call.command))
    const { OLDPWD } = call.env
    const running = bash.exec(call.command, {
      rawScript: true,
      ...(call.stdin !== undefined && { stdin: call.stdin }),
      // Where `cd -` leads is taken from here only.
      ...(OLDPWD !== undefined && { env: { OLDPWD } }),
    })
    return Promise.race([
      running.then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      ),
      stop.overdue,
    ])
  }
}

/** The library's own deadline: what ran was one command that never looked up. */
function outOfTime({ exitCode, stderr }: ExecResult): boolean {
  return exitCode === 124 && /^bash: .* exceeded (?:its )?execution deadline/m.test(stderr)
}
