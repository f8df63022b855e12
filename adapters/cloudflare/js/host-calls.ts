import type { Workspace } from '../../../src/types/workspace.js'
import { answerLive } from '../../shared/js/live-files.js'
import { toolCallOf } from '../../shared/js/parsed.js'
import { plainError } from '../../shared/js/plain-error.js'
import { responseHeaders } from '../../shared/js/response-headers.js'
import type { Answered } from './job.js'
import type { Prepared } from './prepare.js'

export interface QuestionsOptions extends Pick<Prepared, 'graph' | 'grants' | 'loader'> {
  readonly workspace: Workspace
  /** Aborts when the program has ended. */
  readonly signal: AbortSignal
}

/** Returns the function that answers a program's calls to the host. The program may be hostile, so every answer depends on its grants. */
export function createQuestions({
  workspace,
  graph,
  grants,
  loader,
  signal,
}: QuestionsOptions): (operation: string, input: unknown, bytes?: Uint8Array) => Promise<Answered> {
  const operations: Readonly<Record<string, (input: never, bytes: Uint8Array | undefined) => Promise<unknown>>> = {
    async extend({ specifier, from }: { specifier: string; from: string }) {
      const { resolution } = await loader.extend(graph, `${specifier}`, `${from}`, 'import', { signal })
      if (!('path' in resolution) || graph.modules.has(resolution.path)) return resolution
      const message = `Cannot import '${specifier}' from ${from}: a program that runs in a Worker takes no modules later. Name it by a literal, import('./x.js'), somewhere in the program`
      return { error: { code: 'ERR_MODULE_NOT_FOUND', message } }
    },
    async file(question) {
      if (grants.fs === 'none') throw Object.assign(new Error('files are not granted to this program'), { code: 'EACCES' })
      return answerLive(workspace, question)
    },
    async fetch({ url, method, headers }: { url: string; method: string; headers: [string, string][] }, body) {
      if (!grants.fetch) throw new Error('fetch is not granted to this program')
      const response = await grants.fetch.fetch({ url, method, headers, signal, ...(body && { body }) })
      return { status: response.status, headers: responseHeaders(response.headers), bytes: new Uint8Array(await response.arrayBuffer()) }
    },
    async invokeTool(text: string) {
      if (!grants.invokeTool) throw new Error('invokeTool is not granted to this program')
      const [name, input] = toolCallOf(`${text}`)
      return JSON.stringify(await grants.invokeTool(name, input, { signal }))
    },
  }
  return async (operation, input, bytes) => {
    const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    try {
      signal.throwIfAborted()
      if (!run) throw new Error(`There is no ${operation} in this environment`)
      return { value: await run(input as never, bytes) }
    } catch (error) {
      return { error: plainError(error) }
    }
  }
}
