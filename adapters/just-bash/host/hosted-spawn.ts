import { ShellError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import type { ShellExit, ShellProcess, ShellSignal, ShellSpawnOptions } from '../../../src/types/shell.js'
import { safeListener } from '../../shared/output-buffer.js'
import type { PooledWorker, WorkerPool } from '../../shared/worker/pool.js'
import { unstartedProcess } from '../unstarted-process.js'
import { GRACE_MS, hear, KILLED, SETTLE_MS, taking } from './hosted-exec.js'
import { StopWatch } from './stop-watch.js'
import type { SentProcess, SentSpawn } from './wire.js'

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/** Starts a command in its own worker. @throws {ShellError} unavailable, spawn_failed */
export async function hostedSpawn(pool: WorkerPool, options: ShellSpawnOptions, call: () => SentSpawn): Promise<ShellProcess> {
  const watch = new StopWatch(options.signal)
  const runner = await taking(pool, watch).finally(() => watch.end())
  if (!runner) return unstartedProcess()
  const running = new Running(runner, pool, options)
  if (options.signal?.aborted) {
    running.failToStart()
    return unstartedProcess()
  }
  const kill = (): void => running.kill('SIGKILL')
  options.signal?.addEventListener('abort', kill, { once: true })
  void running.exited.then(() => options.signal?.removeEventListener('abort', kill))
  try {
    const { can, ...sent } = (await runner.line.ask('spawn', [call()], options.signal)) as SentProcess
    return {
      ...sent,
      write: (text) => running.ask('write', text),
      ...(can.closeInput && { closeInput: () => running.ask('closeInput').catch(() => undefined) }),
      ...(can.resize && { resize: (size) => running.ask('resize', size) }),
      kill: async (signal) => running.kill(signal),
      exited: running.exited,
    }
  } catch (error) {
    running.failToStart()
    throw error
  }
}

/** A background command in a worker. */
class Running {
  readonly exited: Promise<ShellExit>
  readonly #runner: PooledWorker
  readonly #pool: WorkerPool
  #exit: (exit: ShellExit) => void = () => undefined
  #over = false
  /** Whether a signal was sent. Code may then keep running in the worker after the command has ended. */
  #signalled = false
  #killedBy: ShellSignal | undefined

  constructor(runner: PooledWorker, pool: WorkerPool, { onOutput }: ShellSpawnOptions) {
    this.#runner = runner
    this.#pool = pool
    this.exited = new Promise((resolve) => {
      this.#exit = resolve
    })
    const output = safeListener(onOutput)
    const gone = (why: string): void => {
      if (this.#over) return
      if (this.#killedBy) return void this.#end({ exitCode: 128 + NUMBERS[this.#killedBy], signal: this.#killedBy })
      output({ stream: 'stderr', text: `bash: the command was killed: ${why}\n` })
      void this.#end({ exitCode: KILLED, signal: 'SIGKILL' })
    }
    hear(runner, { output, exited: (exit) => void this.#end(exit), gone })
  }

  /** @throws {ShellError} not_running */
  async ask(method: string, ...args: readonly unknown[]): Promise<void> {
    try {
      if (!this.#over) return void (await this.#runner.line.ask(method, args))
    } catch (error) {
      if (!this.#runner.isGone) throw error
    }
    throw new ShellError('not_running', 'The command has ended.')
  }

  kill(signal: ShellSignal): void {
    if (!this.#over) void this.#enforce(signal)
  }

  /** Ends the command as if it had been killed at once. */
  failToStart(): void {
    if (this.#over) return
    this.#over = true
    this.#pool.give(this.#runner)
    this.#exit({ exitCode: KILLED, signal: 'SIGKILL' })
  }

  /**
   * Delivers a signal. Terminates a worker that does not answer: such a worker is busy with a single command, which signals cannot reach.
   */
  async #enforce(signal: ShellSignal): Promise<void> {
    this.#signalled = true
    const heard = this.#runner.line.ask('kill', [signal]).catch(() => undefined)
    const obeyed = await this.#inTime(signal === 'SIGKILL' ? this.exited : heard, GRACE_MS)
    if (obeyed && (signal === 'SIGKILL' || (await this.#goesOn()))) return
    if (this.#over) return
    this.#killedBy = signal
    this.#runner.end('it was killed')
  }

  /** Whether the command has ended, or the worker still answers. */
  async #goesOn(): Promise<boolean> {
    if (await this.#inTime(this.exited, SETTLE_MS)) return true
    const listens = this.#runner.line.ask('hello').catch(() => undefined)
    return this.#inTime(Promise.race([listens, this.exited]), GRACE_MS)
  }

  async #inTime(event: Promise<unknown>, ms: number): Promise<boolean> {
    const waiting = new AbortController()
    const late = systemHost.sleep(ms, waiting.signal).then(() => false)
    const inTime = await Promise.race([event.then(() => true), late])
    waiting.abort()
    return inTime
  }

  async #end(exit: ShellExit): Promise<void> {
    if (this.#over) return
    this.#over = true
    if (this.#signalled) this.#runner.end('it was killed')
    if (this.#runner.isGone) await Promise.race([this.#runner.line.settled(), systemHost.sleep(SETTLE_MS)])
    this.#pool.give(this.#runner)
    this.#exit(exit)
  }
}
