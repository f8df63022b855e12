import { JsError } from '../../../src/errors/index.js'
import { WorkerPool } from '../../shared/worker/pool.js'
import type { WorkerLike } from '../../shared/worker/worker-like.js'
import { type EngineSource, engineModule } from '../engine/wasm.js'
import { createStopFlag, type StopFlag } from './stop-flag.js'

/** Workers that run programs. Each has a stop flag in shared memory, or none if shared memory is not available. */
export type JsPool = WorkerPool<StopFlag | undefined>

const NOT_STARTED =
  'Cannot run JavaScript: its worker does not load. If your bundler or server does not find the script of the worker, pass "worker".'

export const createJsPool = (worker: () => WorkerLike, wasm: EngineSource | undefined): JsPool =>
  new WorkerPool({
    worker,
    prepare: () => engineModule(wasm),
    async hello(line) {
      const flag = createStopFlag()
      await line.ask('open', [await engineModule(wasm), flag])
      return flag
    },
    ended: (why, cause) => new Error(why, { cause }),
    notStarted: (cause) => new JsError('unavailable', NOT_STARTED, { cause }),
    closed: () => new JsError('unavailable', 'Cannot run the program: the adapter is closed'),
    closing: 'the adapter was closed',
  })
