import type { QuickJsOptions } from '../../../adapters/quickjs/index.js'
import { type Stop, watchStop } from '../../../adapters/shared/process/stop.js'
import { hasWorkers } from '../../../adapters/shared/worker/worker-like.js'
import { JsError } from '../../errors/index.js'
import type { JsAdapter, JsResult } from '../../types/js.js'
import type { Workspace } from '../../types/workspace.js'

const NOT_RUN = { exitCode: null, stdout: '', stderr: '', truncated: false } as const

/** Loads `createQuickJs` with the first program, so that an application without programs does not download it. */
export function lazyQuickJs(options: QuickJsOptions = {}): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    let loaded: JsAdapter | undefined
    let loading: Promise<JsAdapter> | undefined
    let closed = false

    const load = async (): Promise<JsAdapter> => {
      const { createQuickJs } = await import('../../../adapters/quickjs/index.js')
      loaded = createQuickJs(options)(workspace)
      return loaded
    }
    const ready = async (): Promise<JsAdapter> => {
      checkOpen(closed)
      loading ??= load().catch((cause: unknown) => {
        // Forget the failure, so that the next program tries again, because the network may be back by then.
        loading = undefined
        throw new JsError('unavailable', 'JavaScript cannot run: its part of this package does not load', { cause })
      })
      const js = await loading
      checkOpen(closed)
      return js
    }

    return {
      name: 'quickjs',
      can: {
        get hardKill() {
          return loaded?.can.hardKill ?? runsInWorkers(options)
        },
        memoryCap: true,
        nodeApi: false,
        isolated: true,
      },
      async open() {
        await (await ready()).open?.()
      },
      async run(program) {
        if (loaded) return loaded.run(program)
        const began = workspace.host.now()
        const stop = watchStop(program.signal, program.timeoutMs)
        try {
          const js = await Promise.race([ready(), stop.happened])
          if (!js) return stoppedResult(stop)
          if (program.timeoutMs === undefined) return await js.run(program)
          const left = program.timeoutMs - (workspace.host.now() - began)
          return await js.run({ ...program, timeoutMs: Math.max(1, left) })
        } finally {
          stop.dispose()
        }
      },
      async spawn(program) {
        const js = await ready()
        if (!js.spawn) throw new JsError('spawn_failed', 'Cannot start the program: the engine runs none in the background')
        return js.spawn(program)
      },
      async close() {
        closed = true
        // An engine that failed to load needs no close.
        await (await loading?.catch(() => undefined))?.close?.()
      },
    }
  }
}

function checkOpen(closed: boolean): void {
  if (closed) throw new JsError('unavailable', 'Cannot run the program: the adapter is closed')
}

const stoppedResult = ({ reason }: Stop): JsResult => ({ ...NOT_RUN, timedOut: reason === 'timeout', aborted: reason !== 'timeout' })

const runsInWorkers = ({ worker = 'auto' }: QuickJsOptions): boolean => (worker === 'auto' ? hasWorkers() : worker !== false)
