import { createFetch } from 'toolport/adapters/fetch'
import { createJustBashShell } from 'toolport/adapters/just-bash'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type CreateLoafOptions, createLoaf, type Loaf, type LoafToolDefinition, type LoafToolResult } from 'toolport/presets/loaf'

export const EXA_URL = 'https://exa.test/search'
export const KEY = 'exa-k3y-0123456789'

/** A Loaf instance with the virtual shell, on a workspace in memory. */
export function openLoaf(files: Readonly<Record<string, string>> = {}, options: Omit<CreateLoafOptions, 'fs'> = {}): Loaf {
  const shell = createJustBashShell({ scratch: createMemoryFs() })
  return createLoaf({ root: '/workspace', shell, ...options, fs: createMemoryFs({ files }) })
}

export interface Sent {
  readonly url: string
  readonly headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of what was sent.
  readonly body: any
}

/** A fetch adapter that returns the responses of `answer` and records each request in `sent`. */
export function standIn(answer: () => Response | Promise<Response>): {
  readonly fetch: ReturnType<typeof createFetch>
  readonly sent: Sent[]
} {
  const sent: Sent[] = []
  const fetch = createFetch({
    origins: ['https://exa.test'],
    fetch: async (url, init) => {
      sent.push({ url, headers: Object.fromEntries(new Headers(init.headers)), body: JSON.parse(await new Response(init.body).text()) })
      return answer()
    },
  })
  return { fetch, sent }
}

/** A tool that returns what `run` returns. */
export function tool(name: string, run: LoafToolDefinition['run'] = () => ({ ok: true, output: name })): LoafToolDefinition {
  return { name, description: `The tool ${name}`, run }
}

/** Makes one call in a new runtime that has only this tool. */
export function runOne(loaf: Loaf, definition: LoafToolDefinition, input: unknown = {}): Promise<LoafToolResult> {
  return new loaf.ToolRuntime(loaf.createToolRegistry().register(definition)).execute({ id: 'c', name: definition.name, input })
}
