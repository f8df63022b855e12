import { JsError } from '../../../src/errors/index.js'
import type { JsAdapter } from '../../../src/types/js.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { type BeginProgram, type RunningProgram, runProgram, spawnProgram } from '../../shared/js/run-program.js'
import type { WorkerLoaderJsOptions } from './options.js'

const NO_LOADER = 'there is no Worker Loader binding: add "worker_loaders": [{ "binding": "LOADER" }] to wrangler.jsonc'

/**
 * JavaScript in Workers that are made for one program each, at the platform's own speed: `createRuntime({ js: createWorkerLoaderJs({ loader:
 * env.LOADER }) })`. A program reaches nothing but what it is granted.
 */
export function createWorkerLoaderJs(options: WorkerLoaderJsOptions): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    let closed = false
    const running = new Set<RunningProgram>()
    const checkOpen = (): void => {
      // It comes from the environment of a Worker, which has no types of its own.
      if (!options.loader) throw new JsError('unavailable', `Cannot run the program: ${NO_LOADER}`)
      if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
    }
    const begin: BeginProgram = async (program, stdin, output, timeoutMs) => {
      // Most sessions run no program, and what it runs in is large.
      const [{ prepare }, { start }] = await Promise.all([import('./prepare.js'), import('./running.js')])
      const prepared = await prepare(workspace, options, program, stdin, program.signal)
      checkOpen()
      // Else it would call tools until it hears that it is to end.
      program.signal?.throwIfAborted()
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
        return runProgram(given, begin)
      },
      async spawn(program) {
        checkOpen()
        return spawnProgram(program, begin)
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
