import type { Host } from '../../../src/types/host.js'
import type {
  ShellAdapter,
  ShellExecOptions,
  ShellExit,
  ShellOutput,
  ShellProcess,
  ShellResult,
  ShellSignal,
  ShellSpawnOptions,
} from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { ContractError, ok, same } from '../runner.js'
import { FALLBACK_MS } from '../shell/case.js'
import type { CaseGroup } from '../suite.js'

/**
 * A part that an adapter with `spawn` may lack. `close`: the method. `processes`: commands are real processes with a `pid`. `pty`:
 * `can.pty`. `separateStderr`: `can.separateStderr`. `state`: `exec` accepts and returns `state`.
 */
export type SessionPart = 'close' | 'processes' | 'pty' | 'separateStderr' | 'state'

/** A shell with `spawn`, which this suite tests. */
export type SpawningShell = ShellAdapter & Required<Pick<ShellAdapter, 'spawn'>>

/** A session under test, with all its output so far. */
export interface Running {
  readonly process: ShellProcess
  readonly pieces: readonly ShellOutput[]
  text(stream?: ShellOutput['stream']): string
  /** Resolves when the stream (default stdout) contains `text`. Rejects if the session ends first. */
  heard(text: string, stream?: ShellOutput['stream']): Promise<void>
  /** Resolves when stdout has at least this many characters. */
  reached(characters: number): Promise<void>
  /** Returns how the session ended. Rejects if it does not end in time. */
  ended(): Promise<ShellExit>
  isEnded(): boolean
}

/** What each case receives: a shell over a workspace that contains only the seed. */
export interface SessionStage {
  readonly shell: SpawningShell
  readonly workspace: Workspace
  /** `shell.exec` with a timeout, so that a command that never ends fails its case. */
  run(command: string, options?: ShellExecOptions): Promise<ShellResult>
  /** `shell.spawn`, which must resolve while the command still runs. */
  start(command: string, options?: ShellSpawnOptions): Promise<Running>
  /** Rejects if the promise does not settle in time. */
  within<T>(promise: Promise<T>, what: string): Promise<T>
}

export type SessionCase = (stage: SessionStage) => Promise<void>

export type SessionCaseGroup = CaseGroup<SessionPart, SessionCase>

/** Rejects if the promise does not settle within `FALLBACK_MS`. Only a failing case waits that long. */
export async function within<T>(host: Host, promise: Promise<T>, what: string): Promise<T> {
  const over = new AbortController()
  const late = host.sleep(FALLBACK_MS, over.signal).then(() => {
    throw new ContractError(`Waited ${FALLBACK_MS} ms for ${what}`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    over.abort()
  }
}

interface Waiting {
  readonly check: () => void
  readonly fail: () => void
}

/** Starts a session and records its output from the start. */
export async function startSession(
  { shell, workspace }: Pick<SessionStage, 'shell' | 'workspace'>,
  command: string,
  options: ShellSpawnOptions = {},
): Promise<Running> {
  const pieces: ShellOutput[] = []
  const texts = { stdout: '', stderr: '' }
  const waiting = new Set<Waiting>()
  let exit: ShellExit | undefined
  const onOutput = (output: ShellOutput): void => {
    pieces.push(output)
    texts[output.stream] += output.text
    for (const { check } of waiting) check()
    options.onOutput?.(output)
  }
  const spawning = shell.spawn(command, { ...options, onOutput })
  const process = await within(workspace.host, spawning, `spawn of ${JSON.stringify(command)} to resolve`)
  void process.exited.then((how) => {
    exit = how
    for (const { fail } of waiting) fail()
  })
  const until = (what: string, holds: () => boolean): Promise<void> => {
    if (holds()) return Promise.resolve()
    const told = (): string => `${JSON.stringify(exit)}, stdout ${shorten(texts.stdout)}, stderr ${shorten(texts.stderr)}`
    if (exit) return Promise.reject(new ContractError(`Expected ${what}, but it had ended: ${told()}`))
    const held = new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        check: () => {
          if (!holds()) return
          waiting.delete(one)
          resolve()
        },
        fail: () => reject(new ContractError(`Expected ${what}, but it ended: ${told()}`)),
      }
      waiting.add(one)
    })
    return within(workspace.host, held, `${what}; so far stdout ${shorten(texts.stdout)}, stderr ${shorten(texts.stderr)}`)
  }
  return {
    process: timed(process, workspace.host),
    pieces,
    text: (stream = 'stdout') => texts[stream],
    heard: (text, stream = 'stdout') => until(`to hear ${JSON.stringify(text)}`, () => texts[stream].includes(text)),
    reached: (characters) => until(`${characters} characters`, () => texts.stdout.length >= characters),
    ended: () => within(workspace.host, process.exited, `the end of ${JSON.stringify(command)}`),
    isEnded: () => exit !== undefined,
  }
}

/** Wraps the process: its promises reject if they do not settle in time. */
function timed(process: ShellProcess, host: Host): ShellProcess {
  const { transport, pid, exited } = process
  return {
    transport,
    ...(pid !== undefined && { pid }),
    write: (text) => within(host, process.write(text), 'a write'),
    ...(process.closeInput && { closeInput: () => within(host, Promise.resolve(process.closeInput?.()), 'closeInput') }),
    ...(process.resize && { resize: (size) => within(host, Promise.resolve(process.resize?.(size)), 'resize') }),
    kill: (signal) => within(host, process.kill(signal), `kill by ${signal}`),
    exited,
  }
}

const shorten = (text: string): string => JSON.stringify(text.length > 400 ? `${text.slice(0, 200)} … ${text.slice(-200)}` : text)

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/** Expects that this signal ended the session. */
export async function endedBy(running: Running, signal: ShellSignal): Promise<void> {
  const { exitCode, signal: name } = await running.ended()
  same([exitCode, name], [128 + NUMBERS[signal], signal], 'how it ended')
}

/** Expects that the session was ended from outside, by any means. */
export async function wasEnded(running: Running): Promise<void> {
  const exit = await running.ended()
  ok(exit.exitCode === null || exit.exitCode > 128, `Expected that it was ended, got ${JSON.stringify(exit)}`)
}

/** Expects that the session ended by itself with this exit code and printed exactly `stdout`. */
export async function endedWith(running: Running, exitCode: number, stdout: string): Promise<void> {
  const exit = await running.ended()
  const got = `${JSON.stringify(exit)}, stdout ${shorten(running.text())}, stderr ${shorten(running.text('stderr'))}`
  ok(
    exit.exitCode === exitCode && exit.signal === undefined && running.text() === stdout,
    `Expected exit code ${exitCode} with stdout ${shorten(stdout)}, got ${got}`,
  )
}

/** A command that ends when no process with the id `$pid` exists any more. */
const UNTIL_GONE = 'while kill -0 "$pid" 2> /dev/null; do sleep 0.05; done; echo gone'

/** Expects that the processes with these ids have ended, or end soon. */
export async function expectGone({ run }: SessionStage, pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    ok(Number.isInteger(pid) && pid > 1, `Expected the number of a process, got ${pid}`)
    const { stdout } = await run(`pid=${pid}; ${UNTIL_GONE}`)
    ok(stdout === 'gone\n', `Expected that process ${pid} is gone`)
  }
}

/** The process ids that were printed, one per line. */
export const pidsIn = (text: string): number[] => [...text.matchAll(/^(\d+)\r?$/gm)].map(([, pid]) => Number(pid))
