import type { ModuleLoader } from '../../src/packages/modules/index.js'
import type { JsGrants } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { applyChanges } from '../shared/js/apply-changes.js'
import { answerLive } from '../shared/js/live.js'
import { toolCallOf } from '../shared/js/parsed.js'
import { responseHeaders } from '../shared/js/response-headers.js'
import type { FetchAnswer, Services } from './job.js'

export interface ServicesOptions {
  readonly workspace: Workspace
  readonly loader: ModuleLoader
  readonly grants: JsGrants
  /** Aborts when the program has ended. */
  readonly signal: AbortSignal
  /** Aborts when it is told to stop, or has ended: nothing more is written. */
  readonly halted: AbortSignal
}

/** What a program is given, of the side that has the workspace. */
export function createServices({ workspace, loader, grants, signal, halted }: ServicesOptions): Services {
  const during = createDuring(signal)
  const kept = new Set<string>()
  return {
    async extend(specifier, from, graph) {
      const { resolution, added } = await during((own) => loader.extend(graph, specifier, from, 'import', { signal: own }))
      return { resolution, added }
    },
    file: (question) => answerLive(workspace, question),
    flush: (changes) => applyChanges(workspace, changes, grants.fs ?? 'write', halted, kept),
    async fetch(request, body): Promise<FetchAnswer> {
      const { fetch } = grants
      if (!fetch) throw new Error('fetch is not granted to this program')
      return during(async (own) => {
        const { url, method, headers } = request
        const response = await fetch.fetch({ url, method, headers, signal: own, ...(body && { body }) })
        return { status: response.status, headers: responseHeaders(response.headers), bytes: new Uint8Array(await response.arrayBuffer()) }
      })
    },
    async invokeTool(call) {
      const { invokeTool } = grants
      if (!invokeTool) throw new Error('invokeTool is not granted to this program')
      const [name, input] = toolCallOf(call)
      return during((own) => invokeTool(name, input, { signal: own }))
    },
  }
}

/** A signal for each call: everything that a program does at once would listen to the same one, and Node warns of that. */
function createDuring(signal: AbortSignal): <T>(work: (own: AbortSignal) => Promise<T>) => Promise<T> {
  const running = new Set<AbortController>()
  signal.addEventListener('abort', () => {
    for (const one of running) one.abort(signal.reason)
  })
  return async (work) => {
    const own = new AbortController()
    if (signal.aborted) own.abort(signal.reason)
    running.add(own)
    try {
      return await work(own.signal)
    } finally {
      running.delete(own)
    }
  }
}
