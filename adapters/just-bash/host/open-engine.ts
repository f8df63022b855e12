import { hasWorkers, type WorkerLike } from '../../shared/worker/worker-like.js'
import { locateJq } from '../commands/jq/locate.js'
import type { JqOptions } from '../commands/jq/module.js'
import type { Engine, EngineOptions } from '../engine.js'
import { loadChunk } from '../load-chunk.js'

/** Whether the commands of a shell run in workers. */
export type WorkerOption = boolean | 'auto' | (() => WorkerLike)

export interface OpenedEngine {
  readonly engine: Engine
  /** Whether commands run in workers, which can be terminated. */
  readonly hosted: boolean
}

/** Whether commands should run in workers, without starting one. @throws TypeError for `load` in a worker */
export function isHosted(worker: WorkerOption, load: EngineOptions['load']): boolean {
  if (worker === false) return false
  if (worker === 'auto') return load === undefined && hasWorkers()
  if (load) throw new TypeError('Cannot make a shell: another build of just-bash ("load") does not run in a worker; leave "worker" out')
  return true
}

/**
 * @param closing aborts when the shell closes; pending workers are then no longer awaited
 * @throws {ShellError} unavailable
 */
export async function openEngine(
  worker: WorkerOption,
  { cwd, jq, ...given }: Omit<EngineOptions, 'jq'> & { readonly cwd: string; readonly jq: JqOptions | undefined },
  closing: AbortSignal,
): Promise<OpenedEngine> {
  const options = { ...given, jq: locateJq(jq) }
  const { load, ...shared } = options
  if (isHosted(worker, load)) {
    const start = typeof worker === 'function' ? worker : startOwnWorker
    const { createHostedEngine } = await loadChunk(import('./hosted-engine.js'))
    const engine = createHostedEngine({ ...shared, cwd, worker: start })
    const close = (): void => void engine.close()
    if (closing.aborted) close()
    closing.addEventListener('abort', close)
    const hosted = await opened(engine)
      .catch((error: unknown) => {
        if (worker !== 'auto' || closing.aborted) throw error
      })
      .finally(() => closing.removeEventListener('abort', close))
    if (hosted) return { engine: hosted, hosted: true }
  }
  const { createEngine } = await loadChunk(import('../engine.js'))
  return { engine: await opened(createEngine(options)), hosted: false }
}

// Bundlers recognise exactly this expression.
const startOwnWorker = (): WorkerLike => new Worker(new URL('../worker.js', import.meta.url), { type: 'module' })

async function opened(engine: Engine): Promise<Engine> {
  try {
    await engine.open()
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}
