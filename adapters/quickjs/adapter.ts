import { JsError } from '../../src/errors/index.js'
import type { JsAdapter, JsProgram, JsResult } from '../../src/types/js.js'
import type { ShellExit, ShellProcess, ShellSignal } from '../../src/types/shell.js'
import type { Workspace } from '../../src/types/workspace.js'
import { createKeptOutput, tell } from '../shared/js/kept-output.js'
import { watchStop } from '../shared/process/stop.js'
import { engineModule } from './engine/wasm.js'
import { createHosts, type Hosts } from './hosts.js'
import type { Running } from './in-thread.js'
import type { Ended, Job } from './job.js'
import type { QuickJsOptions } from './options.js'
import { prepare } from './prepare.js'
import { createServices } from './services.js'

/** JavaScript in an engine of its own: `createRuntime({ js: createQuickJs() })`. A program reaches nothing but what it is granted. */
export function createQuickJs(options: QuickJsOptions = {}): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    const hosts = createHosts(options)
    let closed = false
    const running = new Set<Running>()
    const checkOpen = (): void => {
      if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
    }
    const begin = async (
      program: JsProgram,
      stdin: Job['stdin'],
      output: Parameters<Hosts['start']>[0]['output'],
      timeoutMs?: number,
    ): Promise<Running> => {
      const began = performance.now()
      const { job, grants, loader } = await prepare(workspace, options, program, stdin, program.signal)
      checkOpen()
      const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (performance.now() - began)) }
      const over = new AbortController()
      const services = createServices({ workspace, loader, grants, signal: over.signal })
      const started = await hosts.start({ job: { ...job, ...left }, services, output })
      running.add(started)
      const end = (): void => {
        over.abort()
        running.delete(started)
      }
      started.ended.then(end, end)
      return started
    }
    return {
      name: 'quickjs',
      can: {
        get hardKill() {
          return hosts.hardKill
        },
        memoryCap: true,
        nodeApi: false,
        isolated: true,
      },
      async open() {
        checkOpen()
        await engineModule(options.wasm)
        await hosts.open()
      },
      async run(given) {
        checkOpen()
        const output = createKeptOutput(given)
        const stop = watchStop(given.signal, given.timeoutMs)
        const signal = abortedBy(stop.happened)
        try {
          const started = begin(
            { ...given, signal },
            { text: given.stdin ?? '', closed: true },
            (piece) => output.push(piece),
            given.timeoutMs,
          )
          const first = await Promise.race([started, stop.happened])
          if (!first) {
            void started.then(
              (late) => late.stop('abort'),
              () => undefined,
            )
            return stoppedResult(stop.reason, output.finish())
          }
          void stop.happened.then(() => first.stop(stop.reason ?? 'abort'))
          return resultOf(await first.ended, output.finish)
        } catch (error) {
          if (stop.reason) return stoppedResult(stop.reason, output.finish())
          throw error
        } finally {
          stop.dispose()
        }
      },
      async spawn(program) {
        checkOpen()
        const started = await begin(program, { text: '', closed: false }, (piece) => tell(program.onOutput, piece))
        const abort = (): void => void processOf(started).kill('SIGKILL')
        if (program.signal?.aborted) abort()
        program.signal?.addEventListener('abort', abort, { once: true })
        const process = processOf(started)
        void process.exited.then(() => program.signal?.removeEventListener('abort', abort))
        return process
      },
      async close() {
        closed = true
        const all = [...running]
        for (const one of all) one.stop('abort')
        await Promise.allSettled(all.map(({ ended }) => ended))
        await hosts.close()
      },
    }
  }
}

/** What is read for a program that has been stopped is read for nothing. */
function abortedBy(happened: Promise<undefined>): AbortSignal {
  const controller = new AbortController()
  void happened.then(() => controller.abort())
  return controller.signal
}

type Finished = Pick<JsResult, 'stdout' | 'stderr' | 'truncated'>

const stoppedResult = (reason: 'timeout' | 'abort' | undefined, finished: Finished): JsResult => ({
  exitCode: null,
  ...finished,
  timedOut: reason === 'timeout',
  aborted: reason !== 'timeout',
})

function resultOf({ exitCode, signal, stopped, result }: Ended, finish: () => Finished): JsResult {
  if (stopped) return stoppedResult(stopped, finish())
  return {
    exitCode,
    ...(signal && { signal }),
    ...finish(),
    ...parsedResult(result),
    timedOut: false,
    aborted: false,
  }
}

/** A program that has broken out of its world could send anything. */
function parsedResult(text: string | undefined): Pick<JsResult, 'result'> {
  if (text === undefined) return {}
  try {
    return { result: JSON.parse(text) as unknown }
  } catch {
    return {}
  }
}

const NUMBERS: Readonly<Record<ShellSignal, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/** A program that is written to while it runs. */
function processOf(running: Running): ShellProcess {
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
  const check = (): void => {
    if (over) throw new JsError('not_running', 'The program has ended.')
  }
  return {
    transport: 'pipe',
    async write(text) {
      check()
      running.events.push({ input: text })
    },
    async closeInput() {
      if (!over) running.events.push({ input: null })
    },
    async kill(signal) {
      if (over) return
      killedBy = signal
      if (signal === 'SIGKILL') running.stop('abort')
      else running.signal(signal)
    },
    exited,
  }
}
