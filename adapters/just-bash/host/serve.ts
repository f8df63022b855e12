import { ShellError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import type { Host } from '../../../src/types/host.js'
import type { ShellCommand, ShellCommandResult, ShellProcess, ShellSignal, TerminalSize } from '../../../src/types/shell.js'
import { createEngine, type Engine } from '../engine.js'
import { Line } from './line.js'
import { remoteFs } from './remote-fs.js'
import { ToldOutput } from './told-output.js'
import type { Opening, SentCommandResult, SentExec, SentProcess, SentResult, SentSpawn } from './wire.js'

/** Where a worker hears of whoever started it: a web worker's `self`, or the `parentPort` of Node. */
export interface ShellPort {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
}

/** What the command itself keeps of its output: the other side has it already. */
const KEPT_BYTES = 4096
/** A command that has not ended so long after its stop may run on when it is answered for. */
const LATE_MS = 150

const served = new WeakSet<object>()

/**
 * Runs the commands of a virtual shell for the page or thread that started this worker, one at a time. For a worker script of your own,
 * where a bundler does not find this package's: nothing else may listen in it.
 */
export function serveShell(port: ShellPort | undefined = findPort()): void {
  if (!port || served.has(port)) return
  served.add(port)
  const line: Line = new Line(
    (message, transfer) => port.postMessage(message, transfer),
    handlers(() => line),
  )
  port.addEventListener('message', ({ data }) => line.receive(data))
}

function handlers(lineOf: () => Line): ConstructorParameters<typeof Line>[1] {
  let opening: Opening | undefined
  let made: { readonly engine: Engine; readonly extended: boolean } | undefined
  let output: ToldOutput | undefined
  let running: ShellProcess | undefined
  /** From this worker's clock to the host's. */
  let skewMs = 0

  const host: Host = {
    now: () => Date.now() + skewMs,
    random: () => Math.random(),
    sleep: async (ms, signal) => void (await lineOf().ask('sleep', [ms], signal)),
    async yield() {
      await systemHost.yield()
      await output?.room()
    },
  }
  const engineFor = (extended: boolean): Engine => {
    if (!opening) throw new ShellError('unavailable', 'The shell is not open.')
    if (made?.extended !== extended) {
      const { limits, allow, commands, cwd } = opening
      const own = commands.map(({ name, about }) => remoteCommand(lineOf(), name, about))
      made = { extended, engine: createEngine({ fs: remoteFs(lineOf(), cwd), host, limits, extended, allow, commands: own }) }
    }
    return made.engine
  }
  const begin = ({ extended, now }: SentExec | SentSpawn): { readonly engine: Engine; readonly told: ToldOutput } => {
    skewMs = now - Date.now()
    output = new ToldOutput(lineOf())
    return { engine: engineFor(extended), told: output }
  }
  const process = (): ShellProcess => {
    if (!running) throw new ShellError('not_running', 'The command has ended.')
    return running
  }

  return {
    hello: () => true,
    async open([sent]) {
      opening = sent as Opening
      return (await engineFor(false).open()).names
    },
    taken: ([characters]) => output?.taken(characters as number),
    async exec([sent], signal) {
      const { command, cwd, env, options } = sent as SentExec
      const { engine, told } = begin(sent as SentExec)
      const stop = stopOf(signal())
      const given = { ...options, maxBytes: KEPT_BYTES, signal: stop.signal, onOutput: told.push }
      const { stdout: _, stderr: __, truncated: ___, ...result } = await engine.exec({ command, cwd, env, options: given })
      told.flush()
      return { ...result, late: stop.isLate() } satisfies SentResult
    },
    async spawn([sent], signal) {
      const { command, cwd, env, options } = sent as SentSpawn
      const { engine, told } = begin(sent as SentSpawn)
      const started = await engine.spawn({ command, cwd, env, options: { ...options, signal: signal(), onOutput: told.push } })
      running = started
      void started.exited.then((exit) => {
        running = undefined
        told.flush()
        lineOf().tell('exited', exit)
      })
      const { transport, pid } = started
      const can = { closeInput: started.closeInput !== undefined, resize: started.resize !== undefined }
      return { transport, ...(pid !== undefined && { pid }), can } satisfies SentProcess
    },
    write: ([text]) => process().write(text as string),
    closeInput: () => process().closeInput?.(),
    resize: ([size]) => process().resize?.(size as TerminalSize),
    kill: ([signal]) => running?.kill(signal as ShellSignal),
  }
}

/**
 * A command that runs on the other side. Its input is taken from the script only when it looks at it: then it begins again. Those that come
 * after it would not have it any more.
 */
function remoteCommand(line: Line, name: string, about: string | undefined): ShellCommand {
  return {
    name,
    ...(about !== undefined && { about }),
    async run(args, context) {
      const { cwd, env, signal } = context
      const begin = async (stdin?: Uint8Array): Promise<SentCommandResult> =>
        (await line.ask('command', [name, { args, cwd, env }, stdin], signal)) as SentCommandResult
      const first = await begin()
      return (first === 'input' ? await begin(context.stdin) : first) as ShellCommandResult
    },
  }
}

/** A stop, and whether it came so long ago that the command may not have heard of it. */
function stopOf(signal: AbortSignal): { readonly signal: AbortSignal; isLate(): boolean } {
  let stoppedAt = Number.POSITIVE_INFINITY
  signal.addEventListener('abort', () => {
    stoppedAt = performance.now()
  })
  return { signal, isLate: () => performance.now() - stoppedAt >= LATE_MS }
}

interface Globals {
  readonly DedicatedWorkerGlobalScope?: unknown
  readonly process?: { getBuiltinModule?(name: string): { readonly parentPort?: ShellPort | null } | undefined }
}

/** None on a page, and in the first thread of a process. */
function findPort(): ShellPort | undefined {
  const { DedicatedWorkerGlobalScope, process } = globalThis as Globals
  if (typeof DedicatedWorkerGlobalScope === 'function') return globalThis as unknown as ShellPort
  return process?.getBuiltinModule?.('node:worker_threads')?.parentPort ?? undefined
}
