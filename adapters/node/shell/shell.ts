import { InputError, PolicyError, ShellError, UnsupportedError } from '../../../src/errors/index.js'
import { HeadTail, streamNote } from '../../../src/ops/truncate.js'
import type { ShellAdapter, ShellExecOptions, ShellOutput, ShellResult } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { createPlaces } from './cwd.js'
import { baseEnvironment, checkEnvironment } from './environment.js'
import { type FoundShell, findShells, firstThatRuns } from './find-shell.js'
import { startProcess } from './process.js'
import { closePipe, createPipePool } from './real-pipes.js'
import { parseReport } from './report.js'
import { invocation } from './script.js'
import { type Stop, watchStop } from './stop.js'

/** stdout and stderr. */
const STREAMS = 2
const DEFAULT_MAX_BYTES = 256 * 1024

export interface NodeShellOptions {
  /** Path of a shell, or its name on PATH. Default the first of bash, zsh and sh that runs. */
  readonly shell?: string
  /** Added to the environment that every command begins with. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * More variables of this process that commands may see, or `ALL` of them. Default PATH, HOME, USER, LOGNAME, SHELL, LANG, LC_*, TZ and
   * TMPDIR only: the rest may hold secrets. TERM, PAGER and what makes git ask are set so that nothing waits for a terminal, unless named.
   */
  readonly inherit?: readonly string[] | 'ALL'
}

/**
 * A shell of this machine, on the directory that the workspace shows. Without startup files, without a terminal. The environment is read
 * once, when the adapter is made.
 *
 * A command may do what this process may: path rules, quotas and the root do not bind it. It runs in a process group of its own, of which
 * nothing is left when `exec` answers, not even what it put in the background; only a process that leaves the group (`setsid`) lives on.
 *
 * The state at the end is unknown, and then given as it began, after a command that `exec` replaced, a signal killed, or that sets an EXIT
 * trap of its own. Exported variables too large for a program (Linux: one of 128 KiB, or about 2 MB in all) are unknown too; the directory
 * is kept. Variables whose values are not UTF-8 come back damaged.
 *
 * The input is a socket, which Linux does not open by name: a command reads it with `cat` or `-`, not as `/dev/stdin`.
 *
 * The adapter is refused where it could not work: {UnsupportedError} for storage that is no directory of this machine, {ShellError}
 * `unavailable` on Windows and without a shell.
 */
export function createNodeShell(options: NodeShellOptions = {}): (workspace: Workspace) => ShellAdapter {
  return (workspace) => {
    const { fs } = workspace
    if (fs.hostPath === undefined) throw needsDirectory(fs.name)
    if (process.platform === 'win32') {
      throw new ShellError('unavailable', 'Cannot use a shell of this machine: Windows has no POSIX shell, use the virtual one (just-bash)')
    }
    return createShell(workspace, options, (path) => fs.hostPath?.(path) ?? path)
  }
}

function needsDirectory(name: string): UnsupportedError {
  const message = `Cannot use a shell of this machine: the storage "${name}" is no directory of it, use the virtual shell (just-bash)`
  return new UnsupportedError('shell', message, name)
}

function createShell(workspace: Workspace, options: NodeShellOptions, hostPath: (path: string) => string): ShellAdapter {
  const base = baseEnvironment(options)
  const places = createPlaces(workspace, hostPath)
  const candidates = findShells(options.shell)
  const pool = createPipePool()
  const running = new Map<Stop, Promise<ShellResult>>()
  let shell: FoundShell = candidates[0]
  let opening: Promise<FoundShell> | undefined
  let closed = false

  async function opened(): Promise<FoundShell> {
    opening ??= firstThatRuns(candidates)
    try {
      shell = await opening
      return shell
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  async function run(command: string, given: ShellExecOptions, stop: Stop): Promise<ShellResult> {
    const place = await places.find(given.cwd ?? workspace.cwd)
    const start = invocation(await opened(), command)
    const { stdin } = given
    const pipes = await pool.take(STREAMS)
    const env = { ...base, ...given.env, PWD: place.host }
    const kept = createKeeper(given)
    if (stop.reason !== undefined) {
      for (const pipe of pipes ?? []) closePipe(pipe)
      return kept.result(null, stop, place.path, env)
    }
    const child = await startProcess({ ...start, cwd: place.host, env, ...(stdin !== undefined && { stdin }), pipes, onOutput: kept.push })
    const exitCode = await Promise.race([child.exited, stop.happened])
    if (exitCode === undefined) {
      await child.end()
      return kept.result(null, stop, place.path, env)
    }
    // It has ended by itself: what comes now is too late to stop it.
    stop.dispose()
    await child.settle()
    const end = parseReport(child.report())
    const cwd = end.cwd === undefined ? undefined : places.pathOf(end.cwd)
    return kept.result(exitCode, undefined, cwd ?? place.path, end.env ?? env)
  }

  return {
    name: 'node',
    get can() {
      return { pty: false, separateStderr: true, hardKill: true, dialect: shell.dialect }
    },
    async open() {
      await opened()
    },
    async exec(command, given = {}) {
      if (closed) throw new ShellError('unavailable', 'Cannot run the command: the shell is closed')
      checkCommand(command)
      checkEnvironment(given.env ?? {})
      if (workspace.readOnly) {
        throw new PolicyError(
          'read_only',
          'Cannot run the command: the workspace is read-only, and a shell writes where it likes',
          'readOnly',
        )
      }
      const stop = watchStop(given.signal, given.timeoutMs)
      const result = run(command, given, stop)
      running.set(stop, result)
      try {
        return await result
      } finally {
        stop.dispose()
        running.delete(stop)
      }
    },
    async close() {
      closed = true
      for (const stop of running.keys()) stop.abort()
      await Promise.allSettled(running.values())
      pool.close()
    },
  }
}

function checkCommand(command: string): void {
  if (!command.includes('\0')) return
  const message = 'it contains a NUL character, which no command can hold'
  throw new InputError('invalid_input', `Cannot run the command: ${message}`, { issues: [{ path: 'command', message }] })
}

interface Keeper {
  push(output: ShellOutput): void
  result(exitCode: number | null, stop: Stop | undefined, cwd: string, env: ShellResult['env']): ShellResult
}

/** Keeps the head and the tail of both streams, and passes everything on. */
function createKeeper({ maxBytes = DEFAULT_MAX_BYTES, onOutput }: ShellExecOptions): Keeper {
  const streams = { stdout: new HeadTail(maxBytes), stderr: new HeadTail(maxBytes) }
  return {
    push(output) {
      streams[output.stream].push(output.text)
      try {
        onOutput?.(output)
      } catch {
        // A listener's trouble is not the command's.
      }
    },
    result(exitCode, stop, cwd, env) {
      const stdout = streams.stdout.finish(streamNote)
      const stderr = streams.stderr.finish(streamNote)
      return {
        exitCode,
        stdout: stdout.text,
        stderr: stderr.text,
        timedOut: stop?.reason === 'timeout',
        aborted: stop?.reason === 'abort',
        truncated: stdout.cut > 0 || stderr.cut > 0,
        cwd,
        env,
      }
    },
  }
}
