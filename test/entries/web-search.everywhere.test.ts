// @module-tag web-search
import { webTools } from 'toolport'
import { createFetch } from 'toolport/adapters/fetch'
import { createBrowserRuntime } from 'toolport/browser'
import { createWorkerRuntime } from 'toolport/cloudflare'
import { expect, it } from 'vitest'

const baseUrl = 'http://127.0.0.1:9'
const webSearch = { provider: 'serper', baseUrl } as const
const context = { waitUntil: () => undefined }
const names = (runtime: ReturnType<typeof createWorkerRuntime>): string[] => runtime.getModelManifest().map(({ name }) => name)

it('`webSearch` adds web_search and allows its proxy', async () => {
  const asked: string[] = []
  const fetch = createFetch({
    origins: [baseUrl],
    fetch: async (input) => {
      asked.push(new Request(input).url)
      return Response.json({ results: [{ title: 'A', url: 'https://a.example/', snippet: 'about a' }] })
    },
  })
  const tools = createWorkerRuntime(context, { webSearch, fetch })
  expect(names(tools)).toContain('web_search')
  expect(await tools.call('web_search', { query: 'a' })).toMatchObject({ provider: 'serper', results: [{ url: 'https://a.example/' }] })
  expect(asked).toEqual([`${baseUrl}/proxy/serper`])
  await tools.dispose()
})

it('`webSearch` creates a fetch adapter for the proxy', async () => {
  for (const tools of [createBrowserRuntime({ storage: 'memory', webSearch }), createWorkerRuntime(context, { webSearch })]) {
    expect(tools.available.has('fetch')).toBe(true)
    expect(names(tools)).toContain('web_search')
    await tools.dispose()
  }
})

it('web_search is not offered by default', () => {
  const tools = createBrowserRuntime({ storage: 'memory' })
  expect(tools.available.has('fetch')).toBe(false)
  expect(names(tools)).not.toContain('web_search')
})

it('`webSearch` is rejected with `tools`', () => {
  expect(() => createBrowserRuntime({ storage: 'memory', webSearch, tools: webTools(webSearch) })).toThrow(/add webTools/)
})
