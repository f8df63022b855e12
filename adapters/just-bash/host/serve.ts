import { ShellError } from '../../../src/errors/index.js'
import { systemHost } from '../../../src/host.js'
import type { Host } from '../../../src/types/host.js'
import type {
  ShellCommand,
  ShellCommandContext,
  ShellCommandResult,
  ShellOutput,
  ShellProcess,
  ShellSignal,
  TerminalSize,
} from '../../../src/types/shell.js'
import { type Handlers, type Line, servePort } from '../../shared/worker/rpc.js'
import { findPort, type WorkerPort } from '../../shared/worker/worker-like.js'
import { createEngine, type Engine } from '../engine.js'
import { remoteFs } from './remote-fs.js'
import type { Opening, SentCommand, SentCommandResult, SentExec, SentProcess, SentResult, SentSpawn } from './wire.js'

/** The worker's port to its parent. */
export type ShellPort = WorkerPort

/** Maximum number of output bytes that the worker keeps. The other side already has the output. */
const KEPT_BYTES = 4096
/** Milliseconds after a stop. A later result is marked as `late`, because code of the command may still run. */
const LATE_MS = 150

/**
 * Runs the commands of a virtual shell for the page or thread that started this worker, one at a time. Call it in your own worker script if
 * your bundler does not find this package's script. No other code may listen for messages in that worker.
 */
export function serveShell(port: ShellPort | undefined = findPort()): void {
  servePort(port, handlersOf)
}

function handlersOf(line: Line): Handlers {
  const remote = remoteCommands(() => (endMs === undefined ? undefined : Math.max(0, endMs - host.now())))
  let opening: Opening | undefined
  let made: { readonly engine: Engine; readonly extended: boolean } | undefined
  let output: ToldOutput | undefined
  let running: ShellProcess | undefined
  /** Milliseconds to add to this worker's clock to get the host's time. */
  let skewMs = 0
  /** Deadline of the running call in the host's time. Undefined without a timeout. */
  let endMs: number | undefined

  const host: Host = {
    now: () => Date.now() + skewMs,
    random: () => Math.random(),
    sleep: async (ms, signal) => void (await line.ask('sleep', [ms], signal)),
    async yield() {
      await systemHost.yield()
      await output?.room()
    },
  }
  const engineFor = (extended: boolean): Engine => {
    if (!opening) throw new ShellError('unavailable', 'The shell is not open.')
    if (made?.extended !== extended) {
      const { limits, allow, commands, cwd, jq } = opening
      const own = commands.map(({ name, about }) => remote.command(line, name, about))
      made = { extended, engine: createEngine({ fs: remoteFs(line, cwd), host, limits, extended, allow, commands: own, jq }) }
    }
    return made.engine
  }
  const begin = ({ extended, now }: SentExec | SentSpawn): { readonly engine: Engine; readonly told: ToldOutput } => {
    skewMs = now - Date.now()
    output = new ToldOutput(line)
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
        line.tell('exited', exit)
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

/** Wraps a stop signal. `isLate` tells whether the signal was aborted at least `LATE_MS` ago. */
function stopOf(signal: AbortSignal): { readonly signal: AbortSignal; isLate(): boolean } {
  let stoppedAt = Number.POSITIVE_INFINITY
  signal.addEventListener('abort', () => {
    stoppedAt = performance.now()
  })
  return { signal, isLate: () => performance.now() - stoppedAt >= LATE_MS }
}

/** `command` creates commands whose code runs on the other side. `handlers` answer the requests that these commands send while they run. */
interface RemoteCommands {
  command(line: Line, name: string, about: string | undefined): ShellCommand
  readonly handlers: Handlers
}

/** @param timeLeftMs returns the milliseconds until the deadline of the running call; undefined without a timeout */
function remoteCommands(timeLeftMs: () => number | undefined): RemoteCommands {
  const running = new Map<number, ShellCommandContext>()
  let last = 0
  return {
    command: (line, name, about) => ({
      name,
      ...(about !== undefined && { about }),
      async run(args, context) {
        const { cwd, env, signal, input } = context
        const id = ++last
        const sent: SentCommand = {
          args,
          cwd,
          env,
          id,
          kind: input?.kind ?? 'own',
          timeLeftMs: timeLeftMs(),
        }
        const begin = async (stdin?: Uint8Array): Promise<SentCommandResult> =>
          (await line.ask('command', [name, sent, stdin], signal)) as SentCommandResult
        running.set(id, context)
        try {
          // Start the command without its input. If the command reads the input, restart it with the input. Sending the input at once would
          // take it away from later commands.
          const first = await begin()
          return (first === 'input' ? await begin(context.stdin) : first) as ShellCommandResult
        } finally {
          running.delete(id)
        }
      },
    }),
    handlers: {
      print: ([id, output]: [number, ShellCommandResult]) => running.get(id)?.print?.(output),
      input: ([id]: [number]) => running.get(id)?.input?.next(),
    },
  }
}

/** Maximum number of characters in transit. Beyond this, commands wait until the other side has processed output (backpressure). */
const MAX_ON_THE_WAY = 1024 * 1024

/**
 * Sends the output of a command to the other side. Batches output, and sends it before other code runs, because the next command may never
 * yield.
 */
class ToldOutput {
  readonly #line: Line
  #waiting: ShellOutput[] = []
  #onTheWay = 0
  #resume: (() => void)[] = []

  constructor(line: Line) {
    this.#line = line
  }

  readonly push = (output: ShellOutput): void => {
    const last = this.#waiting.at(-1)
    if (!last) queueMicrotask(this.flush)
    if (last?.stream === output.stream) this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + output.text }
    else this.#waiting.push(output)
  }

  readonly flush = (): void => {
    if (this.#waiting.length === 0) return
    for (const { text } of this.#waiting) this.#onTheWay += text.length
    this.#line.tell('output', this.#waiting)
    this.#waiting = []
  }

  /** Call when the other side has processed this number of characters. */
  taken(characters: number): void {
    this.#onTheWay -= characters
    if (this.#onTheWay <= MAX_ON_THE_WAY) for (const resume of this.#resume.splice(0)) resume()
  }

  /** Returns a promise to await if too much output is in transit. */
  room(): Promise<void> | undefined {
    return this.#onTheWay <= MAX_ON_THE_WAY ? undefined : new Promise((resolve) => this.#resume.push(resolve))
  }
}
