import { JsError } from '../../../src/errors/index.js'
import type { JsAdapter } from '../../../src/types/js.js'
import type { Workspace } from '../../../src/types/workspace.js'
import { createPrograms } from '../../shared/js/programs.js'
import type { BeginProgram } from '../../shared/js/run-program.js'
import type { WorkerLoaderJsOptions } from './options.js'

const NO_LOADER = 'there is no Worker Loader binding: add "worker_loaders": [{ "binding": "LOADER" }] to wrangler.jsonc'

/**
 * Runs each JavaScript program in its own Worker, at the platform's native speed: `createRuntime({ js: createWorkerLoaderJs({ loader:
 * env.LOADER }) })`. A program can access only what its grants allow.
 */
export function createWorkerLoaderJs(options: WorkerLoaderJsOptions): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    const programs = createPrograms(() => {
      // Check at run time, because the type of a Worker's `env` may be missing.
      if (!options.loader) throw new JsError('unavailable', `Cannot run the program: ${NO_LOADER}`)
    })
    const begin: BeginProgram = async (program, stdin, output, timeoutMs) => {
      // Load on demand: the code is large, and most sessions run no program.
      const [{ prepare }, { start }] = await Promise.all([import('./prepare.js'), import('./running.js')])
      const prepared = await prepare(workspace, options, program, stdin, program.signal)
      programs.checkOpen()
      // Do not start an aborted program: it could call tools until it learned of the abort.
      program.signal?.throwIfAborted()
      return programs.keep(start({ workspace, options, prepared, timeoutMs, output }))
    }
    return {
      name: 'worker-loader',
      can: { hardKill: false, memoryCap: false, nodeApi: false, isolated: true },
      async open() {
        programs.checkOpen()
      },
      run: (given) => programs.run(given, begin),
      spawn: (program) => programs.spawn(program, begin),
      close: () => programs.close(),
    }
  }
}
