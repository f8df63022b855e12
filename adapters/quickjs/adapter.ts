import type { JsAdapter } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { createPrograms } from '../shared/js/programs.js'
import type { BeginProgram } from '../shared/js/run-program.js'
import { engineModule } from './engine/wasm.js'
import { createHosts } from './hosts.js'
import type { QuickJsOptions } from './options.js'
import { prepare } from './prepare.js'
import { createServices } from './services.js'

/** JavaScript in an engine of its own: `createRuntime({ js: createQuickJs() })`. A program reaches nothing but what it is granted. */
export function createQuickJs(options: QuickJsOptions = {}): (workspace: Workspace) => JsAdapter {
  return (workspace) => {
    const hosts = createHosts(options)
    const programs = createPrograms()
    const begin: BeginProgram = async (program, stdin, output, timeoutMs) => {
      const began = performance.now()
      const turns = options.turns?.()
      const { job, grants, loader } = await prepare(workspace, options, program, stdin, program.signal)
      programs.checkOpen()
      const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, timeoutMs - (performance.now() - began)) }
      const over = new AbortController()
      const halt = new AbortController()
      const services = createServices({ workspace, loader, grants, signal: over.signal, halted: halt.signal })
      const started = await hosts.start({ job: { ...job, ...left }, services, turns, output })
      const end = (): void => {
        over.abort()
        halt.abort()
      }
      started.ended.then(end, end)
      return programs.keep({
        ended: started.ended,
        push: (event) => ('signal' in event ? started.signal(event.signal) : started.events.push(event)),
        stop(reason) {
          halt.abort()
          started.stop(reason)
        },
      })
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
        programs.checkOpen()
        await engineModule(options.wasm)
        await hosts.open()
      },
      run: (given) => programs.run(given, begin),
      spawn: (program) => programs.spawn(program, begin),
      async close() {
        await programs.close()
        await hosts.close()
      },
    }
  }
}
