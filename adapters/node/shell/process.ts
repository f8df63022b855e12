import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ShellError } from '../../../src/errors/index.js'
import type { ShellOutput, ShellSignal } from '../../../src/types/shell.js'
import type { Environment } from '../../shared/process/checks.js'
import { errnoOf } from '../faults.js'
import { discharge, endRemnant, enlist, KILLED_MS, type Reach, signalGroup, waitUntil } from './group.js'
import { readReport, readText, type Tap } from './pipes.js'
import { closePipe, type RealPipe } from './real-pipes.js'
import { removeScratch } from './scratch.js'
import { COMMAND_FD, type Invocation, REPORT_FD } from './script.js'

/** Milliseconds for which other processes may hold the pipes after the first process has ended. */
const DRAIN_MS = 100
/**
 * If a stream delivers more characters than this after the first process has ended, another process is still writing. A pipe buffers less.
 */
const FLOOD = 1024 * 1024
/** Milliseconds between TERM and KILL when a command is stopped. */
const STOP_MS = 150

export interface StartOptions extends Invocation {
  /** The working directory, as a path on this machine. */
  readonly cwd: string
  readonly env: Environment
  /** A string is written at once, then the input is closed. With `open`, the caller writes to `input`. Default: empty input. */
  readonly stdin?: string | { readonly open: true }
  /** Whether the process reports its final state on `REPORT_FD`. */
  readonly reports: boolean
  /** Reads `REPORT_FD` in place of `report()`, and may write answers to it. */
  readonly channel?: ((pipe: Duplex) => Tap) | undefined
  /** Signals all processes of the command. Default: its process group. */
  readonly reach?: Reach
  /** See `SpawnedOptions`. */
  readonly pipes?: readonly RealPipe[] | undefined
  readonly onOutput: (output: ShellOutput) => void
}

export interface Running {
  readonly pid: number
  /** Resolves when the first process has ended. */
  readonly exited: Promise<Exit>
  /** Data received on `REPORT_FD`, up to a limit. */
  report(): Buffer
  /** Present with `stdin: { open: true }`. */
  readonly input?: Writable | undefined
  /** Sends a signal to all processes. Does nothing once the first process has ended. */
  signal(signal: ShellSignal): void
  /** Call after `exited`. Reads the remaining output, then ends leftover processes. Their later output is dropped. */
  settle(): Promise<void>
  /** Ends the group with TERM, then with KILL. Always resolves within a limited time. */
  end(): Promise<void>
}

export interface Exit {
  /** The exit status, or 128 + the signal number if a signal ended the process. */
  readonly code: number
  readonly signal?: NodeJS.Signals
}

/**
 * Starts a program as the leader of a new session and process group, without a terminal. Every process that it starts belongs to the group
 * and ends with the group, unless that process leaves the group (`setsid`).
 *
 * @throws {ShellError} `spawn_failed`
 */
export async function startProcess(options: StartOptions): Promise<Running> {
  const spawned = await spawnOrFail(options)
  const { child } = spawned
  const pid = child.pid as number
  const reach = options.reach ?? signalGroup
  enlist(pid, reach)
  let over = false
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      over = true
      removeScratch(options.scratch)
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), ...(signal !== null && { signal }) })
    })
  })

  const late = { stdout: 0, stderr: 0 }
  let onFlood = (): void => {}
  const flooded = new Promise<void>((resolve) => (onFlood = resolve))
  const hear = (stream: ShellOutput['stream'], text: string): void => {
    if (over) late[stream] += text.length
    if (late[stream] > FLOOD) onFlood()
    else options.onOutput({ stream, text })
  }
  const channel = spawned.report && options.channel?.(spawned.report)
  const report = channel || !spawned.report ? undefined : readReport(spawned.report)
  const taps: readonly Tap[] = [
    readText(spawned.stdout, (text) => hear('stdout', text)),
    readText(spawned.stderr, (text) => hear('stderr', text)),
    ...(report ? [report] : []),
    ...(channel ? [channel] : []),
  ]
  let drained = false
  const drain = Promise.all(taps.map((tap) => tap.ended)).then(() => {
    drained = true
  })
  if (typeof options.stdin !== 'object') give(spawned.stdin, options.stdin)
  give(spawned.command, options.feed)

  const isAlive = (): boolean => reach(pid, 0)
  const isQuiet = (): boolean => over && drained && !isAlive()
  const closeTaps = (): void => {
    for (const tap of taps) tap.close()
  }
  const letGo = (): void => {
    closeTaps()
    spawned.stdin?.destroy()
    spawned.command?.destroy()
    child.unref()
    discharge(pid)
  }

  return {
    pid,
    exited,
    report: () => report?.bytes() ?? Buffer.alloc(0),
    input: typeof options.stdin === 'object' ? spawned.stdin : undefined,
    signal(signal) {
      if (!over) reach(pid, signal)
    },
    async settle() {
      await atMost(DRAIN_MS, Promise.race([drain, flooded]))
      // Wait one more turn. On a busy machine, the time may be over before the first read.
      if (!drained) await setImmediate()
      closeTaps()
      await endRemnant(pid, reach)
      letGo()
    },
    async end() {
      reach(pid, 'SIGTERM')
      await waitUntil(isQuiet, STOP_MS)
      reach(pid, 'SIGKILL')
      await waitUntil(isQuiet, KILLED_MS)
      letGo()
    },
  }
}

async function spawnOrFail({ stdin, ...options }: StartOptions): Promise<Spawned> {
  try {
    return await spawnPiped({ ...options, hasInput: stdin !== undefined && stdin !== '' })
  } catch (cause) {
    removeScratch(options.scratch)
    throw new ShellError('spawn_failed', `Cannot start the shell: ${reasonOf(errnoOf(cause))}`, { cause })
  }
}

/** Words a system error without the system's message, which contains host paths. */
export function reasonOf(errno: string): string {
  if (errno === 'ENOENT') return 'it, or the directory to run in, is not there any more'
  if (errno === 'E2BIG') return 'the environment is too large'
  if (errno === 'EACCES' || errno === 'EPERM') return 'the system does not allow to run it in this directory'
  if (errno === 'EAGAIN' || errno === 'EMFILE' || errno === 'ENFILE' || errno === 'ENOMEM')
    return `the machine is out of resources (${errno})`
  return errno || 'the system refused'
}

/** Writes the text and closes the pipe. Ignores EPIPE, because the process may stop reading early. */
function give(pipe: Writable | undefined, text: string | undefined): void {
  pipe?.on('error', () => {})
  pipe?.end(text)
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController()
  const elapsed = setTimeout(ms, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([work, elapsed])
  timer.abort()
}

interface SpawnedOptions extends Omit<Invocation, 'scratch'>, Pick<SpawnOptions, 'cwd' | 'env'> {
  /** If false, the input is empty and closed. */
  readonly hasInput: boolean
  readonly reports: boolean
  /** Pipes for stdout and stderr; default: sockets. `spawnPiped` closes the ends that this process does not need. */
  readonly pipes?: readonly RealPipe[] | undefined
}

/** A child process, and the ends of its pipes that belong to this process. */
interface Spawned {
  readonly child: ChildProcess
  readonly stdin?: Writable | undefined
  readonly stdout: Readable
  readonly stderr: Readable
  readonly report?: Duplex | undefined
  readonly command?: Writable | undefined
}

/** Spawns a process with its pipes. Rejects with the system error. */
async function spawnPiped({ file, args, cwd, env, feed, hasInput, reports, pipes = [] }: SpawnedOptions): Promise<Spawned> {
  const [out, err] = pipes
  const command = feed === undefined ? [] : ['pipe' as const]
  try {
    const child = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: [hasInput ? 'pipe' : 'ignore', out?.write ?? 'pipe', err?.write ?? 'pipe', reports ? 'pipe' : 'ignore', ...command],
    })
    if (child.pid === undefined) await new Promise((_, reject) => child.once('error', reject))
    // An error here may mean that a signal could not be sent. No caller waits for this error.
    child.on('error', () => {})
    for (const { write } of pipes) closeSync(write)
    return {
      child,
      stdin: child.stdin ?? undefined,
      stdout: out ? reader(out) : (child.stdout as Readable),
      stderr: err ? reader(err) : (child.stderr as Readable),
      report: (child.stdio[REPORT_FD] as Duplex | null | undefined) ?? undefined,
      command: (child.stdio[COMMAND_FD] as Writable | undefined) ?? undefined,
    }
  } catch (error) {
    for (const pipe of pipes) closePipe(pipe)
    throw error
  }
}

function reader({ read }: RealPipe): Readable {
  return new Socket({ fd: read, readable: true, writable: false })
}
