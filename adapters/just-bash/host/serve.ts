import { ShellError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import type { Host } from '../../../src/types/host.js'
import type { ShellProcess, ShellSignal, TerminalSize } from '../../../src/types/shell.js'
import { createLine, type Handlers, type Line } from '../../shared/worker/line.js'
import { findPort, type WorkerPort } from '../../shared/worker/worker-like.js'
import { createEngine, type Engine } from '../engine.js'
import { remoteCommands } from './remote-commands.js'
import { remoteFs } from './remote-fs.js'
import { ToldOutput } from './told-output.js'
import type { Opening, SentExec, SentProcess, SentResult, SentSpawn } from './wire.js'

/** Where the worker hears of whoever started it. */
export type ShellPort = WorkerPort

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
  const line: Line = createLine(
    (message, transfer) => port.postMessage(message, transfer),
    () => own,
  )
  const own = handlers(() => line)
  port.addEventListener('message', ({ data }) => line.receive(data))
}

function handlers(lineOf: () => Line): Handlers {
  const remote = remoteCommands(() => (endMs === undefined ? undefined : Math.max(0, endMs - host.now())))
  let opening: Opening | undefined
  let made: { readonly engine: Engine; readonly extended: boolean } | undefined
  let output: ToldOutput | undefined
  let running: ShellProcess | undefined
  /** From this worker's clock to the host's. */
  let skewMs = 0
  /** Of the call that runs, in the host's time. */
  let endMs: number | undefined

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
      const { limits, allow, commands, cwd, jq } = opening
      const own = commands.map(({ name, about }) => remote.command(lineOf(), name, about))
      made = { extended, engine: createEngine({ fs: remoteFs(lineOf(), cwd), host, limits, extended, allow, commands: own, jq }) }
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
    ...remote.handlers,
    hello: () => true,
    async open([sent]: [Opening]) {
      opening = sent
      return (await engineFor(false).open()).names
    },
    taken: ([characters]: [number]) => output?.taken(characters),
    async exec([sent]: [SentExec], signal) {
      const { command, cwd, env, options } = sent
      const { engine, told } = begin(sent)
      endMs = sent.timeoutMs === undefined ? undefined : sent.now + sent.timeoutMs
      const stop = stopOf(signal())
      const given = { ...options, maxBytes: KEPT_BYTES, signal: stop.signal, onOutput: told.push }
      const { stdout: _, stderr: __, truncated: ___, ...result } = await engine.exec({ command, cwd, env, options: given })
      told.flush()
      return { ...result, late: stop.isLate() } satisfies SentResult
    },
    async spawn([sent]: [SentSpawn], signal) {
      const { command, cwd, env, options } = sent
      const { engine, told } = begin(sent)
      endMs = undefined
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
    write: ([text]: [string]) => process().write(text),
    closeInput: () => process().closeInput?.(),
    resize: ([size]: [TerminalSize]) => process().resize?.(size),
    kill: ([signal]: [ShellSignal]) => running?.kill(signal),
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
