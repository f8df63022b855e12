import { JsError } from '../../src/errors/index.js'
import type { JsAdapter } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { type BeginProgram, runProgram, spawnProgram } from '../shared/js/run-program.js'
import { engineModule } from './engine/wasm.js'
import { createHosts } from './hosts.js'
import type { Running } from './in-thread.js'
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
    const begin: BeginProgram = async (program, stdin, output, timeoutMs) => {
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
      return {
        ended: started.ended,
        push: (event) => ('signal' in event ? started.signal(event.signal) : started.events.push(event)),
        stop: (reason) => started.stop(reason),
      }
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
        await hosts.close()
      },
    }
  }
}
