import { systemHost } from '../../../src/host.js'
import type { Host } from '../../../src/types/host.js'
import type { ShellExecOptions, ShellExit, ShellOutput, ShellResult } from '../../../src/types/shell.js'
import { createOutputBuffer, type OutputBuffer } from '../../shared/output-buffer.js'
import type { PooledWorker, WorkerPool } from '../../shared/worker/pool.js'
import type { Handlers } from '../../shared/worker/rpc.js'
import { LOAD_MS } from '../unstarted-process.js'
import type { StopWatch } from './stop-watch.js'
import type { SentExec, SentResult } from './wire.js'

/** Milliseconds between a stop and the termination of a worker that does not answer. */
export const GRACE_MS = 150
/** After that, maximum milliseconds to wait for pending storage calls. */
export const SETTLE_MS = 60

/** Exit code of a killed process. */
export const KILLED = 137

export interface HostedExec {
  readonly pool: WorkerPool
  readonly host: Pick<Host, 'sleep'>
  readonly watch: StopWatch
  readonly options: ShellExecOptions
  /** Returns the call to send. Called again when a worker is available, because the call contains the current time. */
  call(): SentExec
}

/**
 * Runs a command in a worker. If the worker crashes or does not end the command in time, builds the result from the output so far.
 *
 * @throws {ShellError} unavailable
 */
export async function hostedExec({ pool, host, watch, options, call }: HostedExec): Promise<ShellResult> {
  const output = createOutputBuffer(options)
  const { cwd, env } = call()
  if (options.timeoutMs !== undefined) watch.limit(host, Math.max(options.timeoutMs, LOAD_MS))
  const taken = watch.reason === undefined ? await taking(pool, watch) : undefined
  if (taken) watch.limit(host, options.timeoutMs)
  const ended = taken ? await run(taken, call(), watch, output) : STOPPED
  if (taken) await handBack(pool, taken, ended)
  if (ended.by === 'error') throw ended.error
  if (ended.by === 'itself' && ended.result.exitCode !== null) {
    const { late: _, ...result } = ended.result
    return { ...result, ...output.finish() }
  }
  if (ended.by === 'crash') {
    output.push({ stream: 'stderr', text: `bash: the command was killed: ${ended.why}\n` })
    return { exitCode: KILLED, ...output.finish(), timedOut: false, aborted: false, cwd, env }
  }
  return { exitCode: null, ...output.finish(), timedOut: watch.reason === 'timeout', aborted: watch.reason !== 'timeout', cwd, env }
}

type Ended =
  | { readonly by: 'itself'; readonly result: SentResult }
  | { readonly by: 'error'; readonly error: unknown }
  | { readonly by: 'crash'; readonly why: string }
  | { readonly by: 'stop' }

const STOPPED: Ended = { by: 'stop' }

/** Returns undefined if the command was stopped before a worker was available. */
export async function taking(pool: WorkerPool, watch: StopWatch): Promise<PooledWorker | undefined> {
  const taken = pool.take()
  const runner = await Promise.race([taken, watch.stopped()])
  if (!runner) {
    taken.then(
      (late) => pool.give(late),
      () => undefined,
    )
  }
  return runner
}

/** Receives the events of the command that runs in a worker. `gone` is called with the reason if the worker ends first. */
export function hear(
  runner: PooledWorker,
  { output, exited, gone }: { output(piece: ShellOutput): void; exited?(exit: ShellExit): void; gone(why: string): void },
): void {
  const handlers: Handlers = {
    output([pieces]: [readonly ShellOutput[]]) {
      let characters = 0
      for (const piece of pieces) {
        characters += piece.text.length
        output(piece)
      }
      runner.line.tell('taken', characters)
    },
    exited: ([exit]: [ShellExit]) => exited?.(exit),
  }
  runner.serve(handlers, gone)
}

async function run(runner: PooledWorker, call: SentExec, watch: StopWatch, output: OutputBuffer): Promise<Ended> {
  const crashed = new Promise<Ended>((resolve) => {
    hear(runner, { output: (piece) => output.push(piece), gone: (why) => resolve({ by: 'crash', why }) })
  })
  const answered = runner.line.ask('exec', [call], watch.signal).then(
    (result): Ended => ({ by: 'itself', result: result as SentResult }),
    (error: unknown): Ended | Promise<Ended> => (runner.isGone ? crashed : { by: 'error', error }),
  )
  const over = new AbortController()
  const gaveUp = watch
    .stopped()
    .then(() => systemHost.sleep(GRACE_MS, over.signal))
    .then(() => STOPPED)
  try {
    return await Promise.race([answered, crashed, gaveUp])
  } finally {
    over.abort()
    watch.end()
  }
}

/**
 * Terminates the worker if the command may still run, and then waits at most `SETTLE_MS` for pending storage calls. Returns the worker to
 * the pool.
 */
async function handBack(pool: WorkerPool, runner: PooledWorker, ended: Ended): Promise<void> {
  if (ended.by === 'stop' || (ended.by === 'itself' && ended.result.late)) {
    runner.end('the command was stopped')
    await Promise.race([runner.line.settled(), systemHost.sleep(SETTLE_MS)])
  }
  pool.give(runner)
}
