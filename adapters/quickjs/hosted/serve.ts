import { systemHost } from '../../../src/host.js'
import type { ShellOutput } from '../../../src/types/shell.js'
import { type Handlers, type Line, servePort } from '../../shared/worker/rpc.js'
import { findPort, type WorkerPort } from '../../shared/worker/worker-like.js'
import { unavailable } from '../engine/unavailable.js'
import { type Ended, type EndReason, Events, type Job, type OutsideEvent, type Services } from '../job.js'
import { execute } from '../vm/execute.js'
import { raised, type StopFlag } from './stop-flag.js'

/** Milliseconds after which output of code that prints continuously is sent. */
const TELL_MS = 10
const TELL_CHARACTERS = 65_536

/** Node's worker threads have a large stack, and `createJsWorker` gives them a larger one. */
const THREAD_STACK = 2 ** 20
const isThread = (): boolean =>
  typeof (globalThis as { readonly DedicatedWorkerGlobalScope?: unknown }).DedicatedWorkerGlobalScope !== 'function'

/**
 * Runs JavaScript for the page or thread that started this worker, one program at a time. Call it in your own worker script if your bundler
 * does not find this package's script. No other code may listen for messages in that worker.
 */
export function serveJs(port: WorkerPort | undefined = findPort()): void {
  servePort(port, handlersOf)
}

function handlersOf(line: Line): Handlers {
  let module: WebAssembly.Module | undefined
  let flag: StopFlag | undefined
  let events: Events | undefined
  return {
    open([sent, shared]: [WebAssembly.Module, StopFlag | undefined]) {
      module = sent
      flag = shared
    },
    async run([job]: [Job]): Promise<Ended> {
      if (!module) throw unavailable('The worker was given none.')
      const own = new Events()
      events = own
      const told = createTold(line)
      const deadline = job.timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + job.timeoutMs
      let reason: EndReason | undefined
      const why = (): EndReason | undefined => (flag && raised(flag)) ?? (performance.now() >= deadline ? 'timeout' : undefined)
      try {
        return await execute(module, job, servicesOver(line), {
          stopped: () => (reason ??= why()),
          output: told.push,
          // Send output before the program yields or waits.
          poll: told.flush,
          ...(isThread() && { stackBytes: THREAD_STACK }),
          yield: () => systemHost.yield(),
          events: own,
        })
      } finally {
        told.flush()
        events = undefined
      }
    },
    event([event]: [OutsideEvent]) {
      events?.push(event)
    },
  }
}

const servicesOver = (line: Line): Services => ({
  extend: (...args) => line.ask('extend', args) as ReturnType<Services['extend']>,
  file: (question) => line.ask('file', [question]),
  flush: (changes) => line.ask('flush', [changes]) as ReturnType<Services['flush']>,
  fetch: (...args) => line.ask('fetch', args) as ReturnType<Services['fetch']>,
  server: (...args) => line.ask('server', args) as ReturnType<Services['server']>,
  invokeTool: (call) => line.ask('invokeTool', [call]),
})

/** Buffers output. Sends it before code runs for a long time, because the worker may be terminated in this time. */
function createTold(line: Line): { push(stream: ShellOutput['stream'], text: string): void; flush(): void } {
  let waiting: ShellOutput[] = []
  let characters = 0
  let last = 0
  const flush = (): void => {
    if (waiting.length === 0) return
    line.tell('output', waiting)
    waiting = []
    characters = 0
    last = performance.now()
  }
  const poll = (): void => {
    if (waiting.length > 0 && performance.now() - last >= TELL_MS) flush()
  }
  return {
    push(stream, text) {
      const previous = waiting.at(-1)
      if (previous?.stream === stream) waiting[waiting.length - 1] = { stream, text: previous.text + text }
      else waiting.push({ stream, text })
      characters += text.length
      if (characters >= TELL_CHARACTERS) flush()
      else poll()
    },
    flush,
  }
}
