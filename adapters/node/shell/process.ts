import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ShellError } from '../../../src/errors/index.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import { errnoOf } from '../faults.js'
import type { Environment } from './environment.js'
import { discharge, enlist, signalGroup, waitUntil } from './group.js'
import { readReport, readText, type Tap } from './pipes.js'
import type { RealPipe } from './real-pipes.js'
import type { Invocation } from './script.js'
import { type Spawned, spawnPiped } from './streams.js'

/** After the first process ended: how long others may hold its pipes. */
const DRAIN_MS = 100
/** More than a pipe holds, in characters: what comes behind that was written after the end, by one who will not stop. */
const FLOOD = 1024 * 1024
/** From TERM to KILL when a command is stopped, and when it left something behind. */
const STOP_MS = 150
const REMNANT_MS = 30
/** After KILL nothing runs any more, but it may take a while until the system has forgotten it. With the others far less than 250 ms. */
const KILLED_MS = 20

export interface StartOptions extends Invocation {
  /** Path on this machine. */
  readonly cwd: string
  readonly env: Environment
  /** Given whole, then closed. Default: empty. */
  readonly stdin?: string
  /** See `SpawnedOptions`. */
  readonly pipes?: readonly RealPipe[] | undefined
  readonly onOutput: (output: ShellOutput) => void
}

export interface Running {
  /** The exit status of the first process; 128 + number when a signal ended it. */
  readonly exited: Promise<number>
  /** What came on `REPORT_FD`; empty when it was too much. */
  report(): Buffer
  /** To be called after `exited`: reads what is still to come, and ends what is left of the group, whose last words are not heard. */
  settle(): Promise<void>
  /** Ends the group: TERM, and KILL for what ignores it. Returns in time, whatever holds on. */
  end(): Promise<void>
}

/**
 * Starts a program as the leader of a process group (and session: it has no terminal). Every process that it starts is in the group,
 * and ends with it, unless it moves itself out (`setsid`).
 *
 * @throws {ShellError} `spawn_failed`
 */
export async function startProcess(options: StartOptions): Promise<Running> {
  const spawned = await spawnOrFail(options)
  const { child } = spawned
  const group = child.pid as number
  enlist(group)
  let over = false
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => {
      over = true
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
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
  const report = readReport(spawned.report)
  const taps: readonly Tap[] = [
    readText(spawned.stdout, (text) => hear('stdout', text)),
    readText(spawned.stderr, (text) => hear('stderr', text)),
    report,
  ]
  let drained = false
  const drain = Promise.all(taps.map((tap) => tap.ended)).then(() => {
    drained = true
  })
  give(spawned.stdin, options.stdin)
  give(spawned.command, options.feed)

  const isAlive = (): boolean => signalGroup(group, 0)
  const isQuiet = (): boolean => over && drained && !isAlive()
  const closeTaps = (): void => {
    for (const tap of taps) tap.close()
  }
  const letGo = (): void => {
    closeTaps()
    spawned.stdin?.destroy()
    spawned.command?.destroy()
    child.unref()
    discharge(group)
  }

  return {
    exited,
    report: () => report.bytes(),
    async settle() {
      await atMost(DRAIN_MS, Promise.race([drain, flooded]))
      // One turn more: on a busy machine the time may be over before anything was read.
      if (!drained) await setImmediate()
      closeTaps()
      if (signalGroup(group, 'SIGTERM')) {
        await waitUntil(() => !isAlive(), REMNANT_MS)
        if (signalGroup(group, 'SIGKILL')) await waitUntil(() => !isAlive(), KILLED_MS)
      }
      letGo()
    },
    async end() {
      signalGroup(group, 'SIGTERM')
      await waitUntil(isQuiet, STOP_MS)
      signalGroup(group, 'SIGKILL')
      await waitUntil(isQuiet, KILLED_MS)
      letGo()
    },
  }
}

async function spawnOrFail({ stdin, ...options }: StartOptions): Promise<Spawned> {
  try {
    return await spawnPiped({ ...options, hasInput: stdin !== undefined && stdin !== '' })
  } catch (cause) {
    throw new ShellError('spawn_failed', `Cannot start the shell: ${reasonOf(errnoOf(cause))}`, { cause })
  }
}

/** Without the system's own message, which names paths of the machine. */
function reasonOf(errno: string): string {
  if (errno === 'ENOENT') return 'it, or the directory to run in, is not there any more'
  if (errno === 'E2BIG') return 'the environment is too large'
  if (errno === 'EACCES' || errno === 'EPERM') return 'the system does not allow to run it in this directory'
  if (errno === 'EAGAIN' || errno === 'EMFILE' || errno === 'ENFILE' || errno === 'ENOMEM')
    return `the machine is out of resources (${errno})`
  return errno || 'the system refused'
}

/** Whoever does not read to the end is not told (EPIPE). */
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
