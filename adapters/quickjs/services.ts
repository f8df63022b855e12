import type { ModuleLoader } from '../../src/packages/modules/index.js'
import type { JsGrants } from '../../src/types/js.js'
import type { Workspace } from '../../src/types/workspace.js'
import { applyChanges } from './fs/apply-changes.js'
import { answerLive } from './fs/live.js'
import type { FetchAnswer, Services } from './job.js'

export interface ServicesOptions {
  readonly workspace: Workspace
  readonly loader: ModuleLoader
  readonly grants: JsGrants
  /** Aborts when the program has ended. */
  readonly signal: AbortSignal
}

/** What a program is given, of the side that has the workspace. */
export function createServices({ workspace, loader, grants, signal }: ServicesOptions): Services {
  return {
    async extend(specifier, from, graph) {
      const { resolution, added } = await loader.extend(graph, specifier, from, 'import', { signal })
      return { resolution, added }
    },
    file: (question) => answerLive(workspace, question),
    flush: (changes) => applyChanges(workspace, changes, grants.fs ?? 'write'),
    async fetch(request, body): Promise<FetchAnswer> {
      if (!grants.fetch) throw new Error('fetch is not granted to this program')
      const { url, method, headers } = request
      const response = await grants.fetch.fetch({ url, method, headers, signal, ...(body && { body }) })
      return { status: response.status, headers: headersOf(response.headers), bytes: new Uint8Array(await response.arrayBuffer()) }
    },
    async invokeTool(name, input) {
      if (!grants.invokeTool) throw new Error('invokeTool is not granted to this program')
      return grants.invokeTool(name, input, { signal })
    },
  }
}

/** Those that can be listed; else what programs ask for most. */
function headersOf(headers: { get(name: string): string | null }): [string, string][] {
  const listed: [string, string][] = []
  if ('forEach' in headers && typeof headers.forEach === 'function') {
    headers.forEach((value: unknown, name: unknown) => void listed.push([String(name), String(value)]))
    return listed
  }
  return ['content-type', 'content-length', 'etag', 'last-modified', 'location'].flatMap((name): [string, string][] => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
}
