import { ShellError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import type { ShellCommand, ShellCommandContext, ShellProcess } from '../../../src/types/shell.js'
import type { BashFs } from '../../../src/workspace/facades/to-bash-fs.js'
import { Slicer } from '../../../src/workspace/slicer.js'
import { WorkerPool } from '../../shared/worker/pool.js'
import type { Handlers, Line } from '../../shared/worker/rpc.js'
import type { WorkerLike } from '../../shared/worker/worker-like.js'
import type { Engine, EngineCall, EngineOptions, EngineSpawn } from '../engine.js'
import { hostedExec } from './hosted-exec.js'
import { hostedSpawn } from './hosted-spawn.js'
import { answerFs, touchesCommands } from './remote-fs.js'
import { StopWatch } from './stop-watch.js'
import type { SentCommand, SentCommandResult } from './wire.js'

export interface HostedEngineOptions extends Omit<EngineOptions, 'load'> {
  /** Directory that relative paths are resolved against. */
  readonly cwd: string
  /** Starts a worker whose script calls `serveShell()`. */
  readonly worker: () => WorkerLike
}

const NOT_STARTED =
  'Cannot start the virtual shell: its worker does not load. If your bundler or server does not find the script of the worker, pass "worker".'

/**
 * An engine that runs each command in its own worker, on the file system of this thread. If a command does not end within 150 ms of its
 * stop, the engine terminates the worker and ignores later output.
 */
export function createHostedEngine({ fs, host, limits, allow, commands = [], jq, cwd, worker, ...options }: HostedEngineOptions): Engine {
  let { extended } = options
  let closed = false
  let names: readonly string[] | undefined
  const watches = new Set<StopWatch>()
  const processes = new Set<ShellProcess>()
  const underWay = new Set<Promise<unknown>>()
  const opening = { limits, allow, cwd, jq, commands: commands.map(({ name, about }) => ({ name, about })) }

  const slicer = new Slicer(systemHost)

  const closedError = (): ShellError => new ShellError('unavailable', 'The shell is closed.')

  const handlers = (line: Line): Handlers => ({
    async fs(args: readonly unknown[]) {
      extended ||= touchesCommands(args)
      // Yield, because Node delivers pending messages before timers.
      if (slicer.due()) await slicer.pause()
      return answerFs(fs, args)
    },
    sleep: ([ms]: [number], signal) => host.sleep(ms, signal()),
    command: ([name, sent, stdin]: [string, SentCommand, Uint8Array | undefined], signal) => {
      const found = commands.findLast((command) => command.name === name)
      return found && runHere(found, sent, { stdin, signal: signal(), fs, line })
    },
  })
  const pool = new WorkerPool({
    worker,
    handlers,
    hello: (line) => line.ask('hello'),
    async open(line) {
      names = (await line.ask('open', [opening])) as readonly string[]
    },
    ended: (why, cause) =>
      new ShellError('spawn_failed', `Cannot continue the command: ${why}.`, cause === undefined ? undefined : { cause }),
    notStarted: (cause) => new ShellError('unavailable', NOT_STARTED, { cause }),
    closed: closedError,
    closing: 'the shell was closed',
  })
  const sent = <T extends EngineCall | EngineSpawn>({ command, cwd, env }: T) => ({ command, cwd, env, extended, now: host.now() })
  const checkOpen = (): void => {
    if (closed) throw closedError()
  }

  return {
    async open() {
      checkOpen()
      if (!names) pool.give(await pool.take())
      return { names: names ?? [] }
    },
    async exec(call) {
      checkOpen()
      const { stdin, state, signal, timeoutMs } = call.options
      const watch = new StopWatch(signal)
      watches.add(watch)
      const running = hostedExec({
        pool,
        host,
        watch,
        options: call.options,
        call: () => ({ ...sent(call), timeoutMs, options: { stdin, state } }),
      })
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
        watches.delete(watch)
        watch.end()
      }
    },
    async spawn(call) {
      checkOpen()
      const { terminal, state } = call.options
      const started = await hostedSpawn(pool, call.options, () => ({ ...sent(call), options: { terminal, state } }))
      processes.add(started)
      void started.exited.then(() => processes.delete(started))
      if (closed) await started.kill('SIGKILL')
      return started
    },
    async close() {
      closed = true
      for (const watch of watches) watch.stop('close')
      for (const process of processes) await process.kill('SIGKILL')
      await Promise.allSettled([...underWay, ...[...processes].map(({ exited }) => exited)])
      await pool.close()
    },
  }
}

/** Runs a custom command here, because the code of custom commands belongs to the program on this side. */
async function runHere(
  command: ShellCommand,
  { args, cwd, env, id, kind, timeLeftMs }: SentCommand,
  given: { readonly stdin: Uint8Array | undefined; readonly signal: AbortSignal; readonly fs: BashFs; readonly line: Line },
): Promise<SentCommandResult> {
  const { stdin, signal, fs, line } = given
  let looked = false
  const context: ShellCommandContext = {
    cwd,
    env,
    signal,
    fs,
    ...(timeLeftMs !== undefined && { timeLeftMs }),
    print: async (output) => void (await line.ask('print', [id, output])),
    input: { kind, next: async () => (await line.ask('input', [id])) as Uint8Array | undefined },
    get stdin() {
      if (stdin) return stdin
      looked = true
      throw new Error('Its input is not here yet: it begins again with it.')
    },
  }
  try {
    const result = await command.run(args, context)
    return looked ? 'input' : result
  } catch (error) {
    if (looked) return 'input'
    throw error
  }
}
