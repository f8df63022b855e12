import { JsError } from '../../../src/errors/index.js'
import type { JsProgram, JsResult, JsRunOptions } from '../../../src/types/js.js'
import type { ShellExit, ShellOutput, ShellProcess, ShellSignal } from '../../../src/types/shell.js'
import { createOutputBuffer, type OutputBuffer, safeListener } from '../output-buffer.js'
import { watchStop } from '../process/stop.js'
import { notHandedOver, problemOf } from './parsed.js'

export type EndReason = 'timeout' | 'abort'

/** How a program ended. */
export interface ProgramEnd {
  /** The exit code, or null if `stopped` is set. */
  readonly exitCode: number | null
  readonly signal?: ShellSignal
  readonly stopped?: EndReason
  /** The default export as JSON. */
  readonly result?: string
}

/** A running program. */
export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>
  /** Sends an event to the program. If `input` is null, the input ends. */
  push(event: { readonly input: string | null } | { readonly signal: ShellSignal }): void
  /** Ends the program as soon as possible. */
  stop(reason: EndReason): void
}

/** The input that is available when the program starts. `closed`: whether no more input follows. */
export interface FirstInput {
  readonly text: string
  readonly closed: boolean
}

export type BeginProgram = (
  program: JsProgram,
  stdin: FirstInput,
  output: (piece: ShellOutput) => void,
  timeoutMs?: number,
) => Promise<RunningProgram>

/** Implements `JsAdapter.run`. On timeout or abort, the promise resolves even while the program is still loading. */
export async function runProgram(given: JsRunOptions, begin: BeginProgram): Promise<JsResult> {
  const kept = createOutputBuffer(given)
  const stop = watchStop(given.signal, given.timeoutMs)
  const signal = abortedBy(stop.happened)
  try {
    const stdin = { text: given.stdin ?? '', closed: true }
    const started = begin({ ...given, signal }, stdin, kept.push, given.timeoutMs)
    const first = await Promise.race([started, stop.happened])
    if (!first) {
      void started.then(
        (late) => late.stop('abort'),
        () => undefined,
      )
      return kept.stopped(stop.reason)
    }
    void stop.happened.then(() => first.stop(stop.reason ?? 'abort'))
    return resultOf(await first.ended, kept)
  } catch (error) {
    if (stop.reason) return kept.stopped(stop.reason)
    throw error
  } finally {
    stop.dispose()
  }
}

/** Implements `JsAdapter.spawn`. */
export async function spawnProgram(program: JsProgram, begin: BeginProgram): Promise<ShellProcess> {
  const process = processOf(await begin(program, { text: '', closed: false }, safeListener(program.onOutput)))
  const abort = (): void => void process.kill('SIGKILL')
  if (program.signal?.aborted) abort()
  program.signal?.addEventListener('abort', abort, { once: true })
  void process.exited.then(() => program.signal?.removeEventListener('abort', abort))
  return process
}

function resultOf({ exitCode, signal, stopped, result }: ProgramEnd, kept: OutputBuffer): JsResult {
  if (stopped) return kept.stopped(stopped)
  const problem = result === undefined ? undefined : problemOf(result)
  if (problem !== undefined) kept.push({ stream: 'stderr', text: notHandedOver(problem) })
  return {
    exitCode,
    ...(signal && { signal }),
    ...kept.finish(),
    ...(problem === undefined && parsedResult(result)),
    timedOut: false,
    aborted: false,
  }
}

/** Parses the program's result. Returns no result for invalid JSON, because a program that escaped its sandbox could send anything. */
function parsedResult(text: string | undefined): Pick<JsResult, 'result'> {
  if (text === undefined) return {}
  try {
    return { result: JSON.parse(text) as unknown }
  } catch {
    return {}
  }
}

/** Returns a signal that aborts the loading of a program when the program is stopped. */
function abortedBy(happened: Promise<undefined>): AbortSignal {
  const controller = new AbortController()
  void happened.then(() => controller.abort())
  return controller.signal
}

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

function processOf(running: RunningProgram): ShellProcess {
  let over = false
  let killedBy: ShellSignal | undefined
  const exited = running.ended.then(
    ({ exitCode, signal, stopped }): ShellExit => {
      over = true
      const by = signal ?? (stopped ? (killedBy ?? 'SIGKILL') : undefined)
      return by ? { exitCode: 128 + NUMBERS[by], signal: by } : { exitCode }
    },
    (): ShellExit => {
      over = true
      return { exitCode: 137, signal: 'SIGKILL' }
    },
  )
  return {
    transport: 'pipe',
    async write(text) {
      if (over) throw new JsError('not_running', 'The program has ended.')
      running.push({ input: text })
    },
    async closeInput() {
      if (!over) running.push({ input: null })
    },
    async kill(signal) {
      if (over) return
      killedBy = signal
      if (signal === 'SIGKILL') running.stop('abort')
      else running.push({ signal })
    },
    exited,
  }
}
