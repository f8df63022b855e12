import { JsError } from '../../../src/errors/index.js'
import type { JsAdapter, JsProgram, JsResult } from '../../../src/types/js.js'
import type { ShellExit, ShellProcess, ShellSignal } from '../../../src/types/shell.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { createKeptOutput, tell } from '../../shared/js/kept-output.js'
import { watchStop } from '../../shared/process/stop.js'
import type { Job } from './job.js'
import type { WorkerLoaderJsOptions } from './options.js'
import type { Ended, Running, StartOptions } from './running.js'

const NO_LOADER = 'there is no Worker Loader binding: add "worker_loaders": [{ "binding": "LOADER" }] to wrangler.jsonc'

/**
 * JavaScript in Workers that are made for one program each, at the platform's own speed: `createRuntime({ js: createWorkerLoaderJs({ loader:
 * env.LOADER }) })`. A program reaches nothing but what it is granted.
 */
export function createWorkerLoaderJs(options: WorkerLoaderJsOptions): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    let closed = false
    const running = new Set<Running>()
    const checkOpen = (): void => {
      // It comes from the environment of a Worker, which has no types of its own.
      if (!options.loader) throw new JsError('unavailable', `Cannot run the program: ${NO_LOADER}`)
      if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
    }
    const begin = async (program: JsProgram, stdin: Job['stdin'], output: StartOptions['output'], timeoutMs?: number): Promise<Running> => {
      // Most sessions run no program, and what it runs in is large.
      const [{ prepare }, { start }] = await Promise.all([import('./prepare.js'), import('./running.js')])
      const prepared = await prepare(workspace, options, program, stdin, program.signal)
      checkOpen()
      const started = start({ workspace, options, prepared, timeoutMs, output })
      running.add(started)
      const end = (): void => void running.delete(started)
      started.ended.then(end, end)
      return started
    }
    return {
      name: 'worker-loader',
      can: { hardKill: false, memoryCap: false, nodeApi: false, isolated: true },
      async open() {
        checkOpen()
      },
      async run(given) {
        checkOpen()
        const kept = createKeptOutput(given)
        const stop = watchStop(given.signal, given.timeoutMs)
        try {
          const signal = abortedBy(stop.happened)
          const started = begin(
            { ...given, signal },
            { text: given.stdin ?? '', closed: true },
            (piece) => kept.push(piece),
            given.timeoutMs,
          )
          const first = await Promise.race([started, stop.happened])
          if (!first) {
            void started.then(
              (late) => late.stop('abort'),
              () => undefined,
            )
            return stoppedResult(stop.reason, kept.finish())
          }
          void stop.happened.then(() => first.stop(stop.reason ?? 'abort'))
          return resultOf(await first.ended, kept.finish)
        } catch (error) {
          if (stop.reason) return stoppedResult(stop.reason, kept.finish())
          throw error
        } finally {
          stop.dispose()
        }
      },
      async spawn(program) {
        checkOpen()
        const started = await begin(program, { text: '', closed: false }, (piece) => tell(program.onOutput, piece))
        const process = processOf(started)
        const abort = (): void => void process.kill('SIGKILL')
        if (program.signal?.aborted) abort()
        program.signal?.addEventListener('abort', abort, { once: true })
        void process.exited.then(() => program.signal?.removeEventListener('abort', abort))
        return process
      },
      async close() {
        closed = true
        const all = [...running]
        for (const one of all) one.stop('abort')
        await Promise.allSettled(all.map(({ ended }) => ended))
      },
    }
  }
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

/** What is read for a program that has been stopped is read for nothing. */
function abortedBy(happened: Promise<undefined>): AbortSignal {
  const controller = new AbortController()
  void happened.then(() => controller.abort())
  return controller.signal
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
