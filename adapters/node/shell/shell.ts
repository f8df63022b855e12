import { ShellError, UnsupportedError } from '../../../src/errors/index.js'
import { startOnce } from '../../../src/ops/start-once.js'
import type { ShellAdapter, ShellExecOptions, ShellResult, ShellSpawnOptions, ShellState } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { createOutputBuffer, safeListener } from '../../shared/output-buffer.js'
import { checkStart, type Environment } from '../../shared/process/checks.js'
import { type Stop, watchStop } from '../../shared/process/stop.js'
import { type Background, startOnPipes } from './background.js'
import { createPlaces } from './cwd.js'
import { attended, baseEnvironments } from './environment.js'
import { type FoundShell, findShells, firstThatRuns } from './find-shell.js'
import { startProcess } from './process.js'
import { loadPty, type PtyModuleLike, type PtyOption } from './pty.js'
import { closePipe, createPipePool } from './real-pipes.js'
import { createRuns } from './runs.js'
import { invocation } from './script.js'
import { type BashState, type Seed, type StateReport, seedOf, stateOf } from './state.js'
import { startOnTerminal } from './terminal.js'

/** Number of output streams: stdout and stderr. */
const STREAMS = 2

/** Options of `createNodeShell`. */
export interface NodeShellOptions {
  /** Path of a shell, or its name on PATH. Default: the first of bash, zsh and sh that runs. */
  readonly shell?: string
  /** Variables to add to the environment of every command. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Further variables of this process that commands may see, or `ALL`. Default: only PATH, HOME, USER, LOGNAME, SHELL, LANG, LC_*, TZ and
   * TMPDIR, because others may hold secrets. Unless you name them, the adapter sets TERM, PAGER and git's prompt variables so that no
   * command waits for a terminal.
   */
  readonly inherit?: readonly string[] | 'ALL'
  /**
   * Terminals for `spawn`: `@lydell/node-pty` if it is installed, or a function that loads a module with the same `spawn`. Without a
   * module, or with `false`, commands that request a terminal get pipes. Default: true.
   */
  readonly pty?: PtyOption
}

/**
 * Runs commands with a shell of this machine, in the workspace's directory, without startup files and without a terminal. The environment
 * of this process is read once, when the adapter is created.
 *
 * A command may do whatever this process may: path rules, quotas and the root do not restrict the command. Each command runs in its own
 * process group. When `exec` resolves, the group has ended, including background jobs. Only a process that leaves the group (`setsid`)
 * survives.
 *
 * A background session ends when its first process ends. All of its processes end then; on Linux, this includes jobs with their own groups.
 *
 * The final working directory and variables are unknown after a command that `exec` replaced, that a signal killed, or that sets its own
 * EXIT trap. The result then returns the initial ones. Exported variables that are too large for a program (Linux: 128 KiB for one, or
 * about 2 MB in total) are unknown as well, but the working directory is kept. Variables with values that are not UTF-8 are returned
 * damaged.
 *
 * The input is a socket, which Linux cannot open by name: a command reads it with `cat` or `-`, not as `/dev/stdin`.
 *
 * The returned function throws {UnsupportedError} for a storage that is not a directory of this machine, and {ShellError} `unavailable` on
 * Windows and without a shell.
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
  const base = baseEnvironments(options)
  const places = createPlaces(workspace, hostPath)
  const candidates = findShells(options.shell)
  const pool = createPipePool()
  const runs = createRuns()
  let shell: FoundShell = candidates[0]
  let loading: Promise<PtyModuleLike | undefined> | undefined
  let pty: PtyModuleLike | undefined
  let closed = false

  const opened = startOnce(async () => {
    shell = await firstThatRuns(candidates)
    return shell
  })

  async function terminals(): Promise<PtyModuleLike | undefined> {
    loading ??= loadPty(options.pty ?? true)
    pty = await loading
    return pty
  }

  /** @throws {ShellError}, {InputError}, {PolicyError} */
  function check(command: string, env: Environment): void {
    checkStart(command, env, { closed, readOnly: workspace.readOnly })
  }

  async function run(command: string, given: ShellExecOptions, stop: Stop): Promise<ShellResult> {
    const place = await places.find(given.cwd ?? workspace.cwd)
    const found = await opened()
    const seed = seedFor(found, given)
    const { stdin } = given
    const pipes = await pool.take(STREAMS)
    const env = { ...base.plain, ...given.env, PWD: place.host }
    const kept = createOutputBuffer(given)
    if (stop.reason !== undefined) {
      for (const pipe of pipes ?? []) closePipe(pipe)
      return { ...kept.stopped(stop.reason), cwd: place.path, env }
    }
    const start = { ...invocation(found, { command, seed, reports: true }), reports: true, cwd: place.host, env, pipes }
    const child = await startProcess({ ...start, ...(stdin !== undefined && { stdin }), onOutput: kept.push })
    const exit = await Promise.race([child.exited, stop.happened])
    if (exit === undefined) {
      await child.end()
      return { ...kept.stopped(stop.reason), cwd: place.path, env }
    }
    // The command has ended by itself, so a later stop has no effect.
    stop.dispose()
    await child.settle()
    const end = parseReport(child.report())
    const cwd = end.cwd === undefined ? undefined : places.pathOf(end.cwd)
    // `seedFor` has already validated the initial state.
    const state = end.state && found.atStart && stateOf(end.state, found.atStart, given.state as BashState | undefined)
    const ended = { exitCode: exit.code, ...kept.finish(), timedOut: false, aborted: false }
    return { ...ended, cwd: cwd ?? place.path, env: end.env ?? env, ...(state && { state }) }
  }

  async function start(command: string, given: ShellSpawnOptions, stop: Stop): Promise<Background> {
    const place = await places.find(given.cwd ?? workspace.cwd)
    const found = await opened()
    const seed = seedFor(found, given)
    const module = given.terminal && (await terminals())
    const pipes = module ? undefined : await pool.take(STREAMS)
    if (stop.reason !== undefined || closed) {
      for (const pipe of pipes ?? []) closePipe(pipe)
      throw new ShellError(closed ? 'unavailable' : 'spawn_failed', 'Cannot start the command: it was ended before it began')
    }
    const invoked = invocation(found, { command, seed, reports: false, onTerminal: module !== undefined })
    const common = { ...invoked, cwd: place.host, onOutput: safeListener(given.onOutput) }
    if (!module || !given.terminal) {
      return startOnPipes({ ...common, env: { ...base.plain, ...given.env, PWD: place.host }, pipes })
    }
    const env = { ...base.terminal, ...attended(given.env ?? {}), PWD: place.host }
    return startOnTerminal(module, { ...common, env, size: given.terminal })
  }

  return {
    name: 'node',
    get can() {
      return { pty: pty !== undefined, separateStderr: true, hardKill: true, dialect: shell.dialect }
    },
    async open() {
      await Promise.all([opened(), terminals()])
    },
    async exec(command, given = {}) {
      check(command, given.env ?? {})
      const stop = watchStop(given.signal, given.timeoutMs)
      return runs.run(stop, run(command, given, stop))
    },
    async spawn(command, given = {}) {
      check(command, given.env ?? {})
      const stop = watchStop(given.signal, undefined)
      return runs.spawn(stop, start(command, given, stop))
    },
    async close() {
      closed = true
      await runs.end()
      pool.close()
    },
  }
}

/** Returns the state for a shell. Only bash keeps state. @throws {InputError} for a state from another source */
function seedFor(shell: FoundShell, { state, env = {} }: { readonly state?: ShellState; readonly env?: Environment }): Seed | undefined {
  return state && shell.dialect === 'bash' ? seedOf(state, env) : undefined
}

/** Shells set these variables for each program that they start. */
const OF_THE_SHELL = new Set(['_', 'SHLVL'])

interface Report {
  /** The working directory, as a path on this machine. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** The state that bash reported. Other shells report none. */
  readonly state?: StateReport
}

/**
 * Parses the report: `cwd LF NUL (name=value NUL)* =NUL part* NUL`. `cwd LF` is missing if the working directory was removed. A record
 * without a name is a mark: `=` alone follows the last variable, `=` and a letter precede a part of the state (`script.ts`).
 */
function parseReport(bytes: Buffer): Report {
  const text = bytes.toString('utf8')
  const end = text.indexOf('\0\0')
  const [where = '', ...records] = text.slice(0, end < 0 ? undefined : end).split('\0')
  const cwd = where.startsWith('/') && where.endsWith('\n') ? where.slice(0, -1) : undefined
  // If the end mark is missing, a list of variables or a state may be incomplete.
  const last = records.indexOf('=')
  return {
    ...(cwd !== undefined && { cwd }),
    ...(last >= 0 && { env: Object.fromEntries(records.slice(0, last).flatMap(variable)) }),
    ...(end >= 0 && records.some((record) => record.startsWith('=v')) && { state: stateReport(records) }),
  }
}

function variable(record: string): [string, string][] {
  const at = record.indexOf('=')
  const name = record.slice(0, at)
  return at <= 0 || OF_THE_SHELL.has(name) ? [] : [[name, record.slice(at + 1)]]
}

function stateReport(records: readonly string[]): StateReport {
  const parts = (letter: string): string[] => records.filter((record) => record.startsWith(`=${letter}`)).map((record) => record.slice(2))
  const [options = ''] = parts('o')
  const [depth = ''] = parts('d')
  const [locals = ''] = parts('l')
  const [variables = ''] = parts('v')
  return { options, depth: Number(depth), locals, variables, functions: parts('f').map((text) => text.replace(/\n$/, '')) }
}
