import { FsError, JsError, ShellError, UnsupportedError } from '../../../src/errors/index.js'
import { startOnce } from '../../../src/ops/start-once.js'
import type { JsAdapter, JsProgram, JsResult, JsRunOptions } from '../../../src/types/js.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { isWithin, joinPath, normalise, relativePath } from '../../../src/workspace/paths.js'
import { checkMemory } from '../../shared/js/check-memory.js'
import { createOutputBuffer, safeListener } from '../../shared/output-buffer.js'
import { checkProgram } from '../../shared/process/checks.js'
import { type Stop, watchStop } from '../../shared/process/stop.js'
import { errnoOf } from '../faults.js'
import { type Background, startOnPipes } from '../shell/background.js'
import { createPlaces } from '../shell/cwd.js'
import { baseEnvironments } from '../shell/environment.js'
import { reasonOf, startProcess } from '../shell/process.js'
import { closePipe, createPipePool, type RealPipe } from '../shell/real-pipes.js'
import { createRuns } from '../shell/runs.js'
import { createChannel } from './channel.js'
import type { Task } from './child/task.js'
import { type NodePermissions, nodeFlags, type Restriction, withholdsWorkers } from './flags.js'
import { findParts, type Parts } from './parts.js'
import { type NodeVersion, versionOf } from './version.js'

/** Number of output streams: stdout and stderr. */
const STREAMS = 2

/** Options of `createNodeJs`. */
export interface NodeJsOptions {
  /** Path of the Node executable for programs, 20.19 or newer. Default: the executable of this process. */
  readonly execPath?: string
  /** Variables to add to the environment of every program. */
  readonly env?: Readonly<Record<string, string>>
  /** Further variables of this process that programs may see, or `ALL`. Default: those that `createNodeShell` passes. */
  readonly inherit?: readonly string[] | 'ALL'
  /** Heap limit in bytes for a program that sets no limit of its own. Default: Node's own limit. Buffers do not count. */
  readonly memoryBytes?: number
  /**
   * Node's permission model, which guards against accidents but not against attackers. A program reads and writes the workspace, creates no
   * symbolic links, and starts no processes, workers or native code, unless you allow them here. `false`: the program may do whatever this
   * process may. Default: true.
   */
  readonly permissions?: boolean | NodePermissions
}

/** The version of the Node executable, and the files of this package that every program needs. */
interface Setting {
  readonly version: NodeVersion
  readonly parts: Parts
}

/** What is needed to start a program. */
interface Start {
  readonly file: string
  readonly args: readonly string[]
  readonly feed: string
  readonly scratch: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly pipes: readonly RealPipe[] | undefined
}

/**
 * Runs trusted project code with the Node of this machine, in the workspace's directory. A program can access the network and, apart from
 * the limits of `permissions`, everything that this process can. Path rules and quotas do not restrict it, and `permissions` does not stop
 * an attacker. `grants.fetch` has no effect: the program has Node's `fetch`. If `grants.fs` is below `write`, the permission model is
 * always on, even with `permissions: false`. With `none`, the program can read its own file, but no module next to it.
 *
 * A program runs in its own process group. When `run` resolves, the group has ended. Only a process that leaves the group (`setsid`)
 * survives. A program that is passed as `code` leaves no file behind. TypeScript needs the optional package `sucrase`.
 *
 * The returned function throws {UnsupportedError} for a storage that is not a directory of this machine, and {JsError} `unavailable` on
 * Windows.
 */
export function createNodeJs(options: NodeJsOptions = {}): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    const { fs } = workspace
    if (fs.hostPath === undefined) {
      const message = `Cannot use Node of this machine: the storage "${fs.name}" is no directory of it, use the guest engine (quickjs)`
      throw new UnsupportedError('js', message, fs.name)
    }
    if (process.platform === 'win32') {
      throw new JsError('unavailable', 'Cannot use Node of this machine: Windows has no process groups, use the guest engine (quickjs)')
    }
    if (options.memoryBytes !== undefined) checkMemory(options.memoryBytes)
    return createAdapter(workspace, options, (path) => fs.hostPath?.(path) ?? path)
  }
}

function createAdapter(workspace: Workspace, options: NodeJsOptions, hostPath: (path: string) => string): JsAdapter {
  const { execPath = process.execPath, permissions = true } = options
  const base = baseEnvironments(options).plain
  const place = createPlacer(workspace, hostPath)
  const pool = createPipePool()
  const runs = createRuns()
  let closed = false

  const opened = startOnce(async (): Promise<Setting> => ({ version: await versionOf(execPath), parts: findParts() }))

  function check(program: JsRunOptions): void {
    checkProgram(program, { closed, readOnly: workspace.readOnly, writer: 'Node' })
    if (program.memoryBytes !== undefined) checkMemory(program.memoryBytes)
  }

  /** Returns undefined if the program was stopped before it started. */
  async function prepare(program: JsProgram, stop: Stop): Promise<Start | undefined> {
    const placed = await place(program)
    const { version, parts } = await opened()
    const pipes = await pool.take(STREAMS)
    if (stop.reason !== undefined) {
      for (const pipe of pipes ?? []) closePipe(pipe)
      return undefined
    }
    const restriction = restrictionOf(program, permissions)
    const flags = nodeFlags({
      version,
      parts,
      root: hostPath('/'),
      main: placed.task.source ? undefined : placed.task.main,
      memoryBytes: program.memoryBytes ?? options.memoryBytes,
      restriction,
    })
    return {
      file: execPath,
      args: [...flags, '--', placed.script, ...(program.args ?? [])],
      feed: taskOf(placed, program, withholdsWorkers(version, restriction)),
      scratch: [],
      cwd: placed.cwd,
      env: { ...base, ...program.env, PWD: placed.cwd },
      pipes,
    }
  }

  async function run(program: JsRunOptions, stop: Stop): Promise<JsResult> {
    const kept = createOutputBuffer(program)
    const start = await prepare(program, stop)
    if (start === undefined) return kept.stopped(stop.reason)
    const channel = createChannel(program.grants?.invokeTool)
    const { stdin } = program
    const given = { ...start, ...(stdin !== undefined && { stdin }), reports: true, channel: channel.attach, onOutput: kept.push }
    const child = await startProcess(given).catch(failToStart)
    const exit = await Promise.race([child.exited, stop.happened])
    channel.end()
    if (exit === undefined) {
      await child.end()
      return kept.stopped(stop.reason)
    }
    // The program has ended by itself, so a later stop has no effect.
    stop.dispose()
    await child.settle()
    const result = channel.result()
    return {
      exitCode: exit.code,
      ...kept.finish(),
      timedOut: false,
      aborted: false,
      ...(exit.signal !== undefined && { signal: exit.signal }),
      ...(result !== undefined && { result }),
    }
  }

  async function start(program: JsProgram, stop: Stop): Promise<Background> {
    const start = await prepare(program, stop)
    if (start === undefined)
      throw new JsError(closed ? 'unavailable' : 'spawn_failed', 'Cannot start the program: it was ended before it began')
    const channel = createChannel(program.grants?.invokeTool)
    const given = { ...start, channel: channel.attach, onOutput: safeListener(program.onOutput) }
    const background = await startOnPipes(given).catch(failToStart)
    void background.process.exited.then(() => channel.end())
    return background
  }

  return {
    name: 'node',
    can: { hardKill: true, memoryCap: true, nodeApi: true, isolated: false },
    async open() {
      await opened()
    },
    async run(program) {
      check(program)
      const stop = watchStop(program.signal, program.timeoutMs)
      return runs.run(stop, run(program, stop))
    },
    async spawn(program) {
      check(program)
      const stop = watchStop(program.signal, undefined)
      return runs.spawn(stop, start(program, stop))
    },
    async close() {
      closed = true
      await runs.end()
      pool.close()
    },
  }
}

/** Returns the restriction for a program. A grant below `write` applies even with `permissions: false`. */
function restrictionOf({ grants }: JsProgram, permissions: boolean | NodePermissions): Restriction | undefined {
  const fs = grants?.fs ?? 'write'
  if (fs !== 'write')
    return { ...(typeof permissions === 'object' && { read: permissions.read ?? [], workers: permissions.workers ?? false }), fs }
  if (permissions === false) return undefined
  return { ...(permissions === true ? {} : permissions), fs }
}

function taskOf({ task }: Placed, { grants }: JsProgram, withholdWorkers: boolean): string {
  const whole: Task = { ...task, tools: grants?.invokeTool !== undefined, withholdWorkers }
  return JSON.stringify(whole)
}

function failToStart(error: unknown): never {
  if (!(error instanceof ShellError)) throw error
  throw new JsError('spawn_failed', `Cannot start the program: ${reasonOf(errnoOf(error.cause))}`, { cause: error.cause })
}

const VERB = 'run'

/** A program as passed to Node, with host paths. */
interface Placed {
  readonly cwd: string
  /** The path in `process.argv[1]`. */
  readonly script: string
  readonly task: Pick<Task, 'main' | 'source'>
}

type Place = (program: JsProgram) => Promise<Placed>

/** Resolves a program to host paths. The returned function rejects with {FsError} or {WorkspaceError} for an invalid `cwd` or `entry`. */
function createPlacer(workspace: Workspace, hostPath: (path: string) => string): Place {
  const places = createPlaces(workspace, hostPath)
  const toHost = (path: string): string => hostPath(joinPath('/', relativePath(path, workspace.root)))

  async function fileAt(path: string): Promise<{ readonly script: string; readonly task: Placed['task'] }> {
    const { kind } = await workspace.stat(path, VERB)
    if (kind === 'dir') throw new FsError({ code: 'EISDIR', op: VERB, path: workspace.resolve(path), detail: 'name a file in it' })
    return { script: toHost(workspace.resolve(path)), task: { main: toHost(await workspace.realpath(path)) } }
  }

  return async ({ code, entry, filename, format, cwd = workspace.cwd }) => {
    const { path: base, host } = await places.find(cwd)
    const absolute = (path: string): string => (path.startsWith('/') ? path : joinPath(base, path))
    if (entry !== undefined) return { cwd: host, ...(await fileAt(absolute(entry))) }
    const path = absolute(filename ?? (format === 'commonjs' ? '[eval].cjs' : '[eval].mjs'))
    const named = normalise(path, () => new FsError({ code: 'ENOENT', op: VERB, path }))
    // Nothing is read or written at this path, so the path need not exist in the workspace.
    const main = isWithin(named, base) ? joinPath(host, relativePath(named, base)) : toHost(workspace.resolve(named))
    return { cwd: host, script: main, task: { main, source: { code: code ?? '', format: formatOf(main, format) } } }
  }
}

function formatOf(path: string, given: JsProgram['format'] = 'module'): 'module' | 'commonjs' {
  if (/\.m[jt]s$/.test(path)) return 'module'
  return /\.c[jt]s$/.test(path) ? 'commonjs' : given
}
