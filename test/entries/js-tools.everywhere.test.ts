// @module-tag run-js
import { type JsAdapter, jsTools } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { createWorkerRuntime } from 'toolport/cloudflare'
import { expect, it } from 'vitest'

const CAN = { hardKill: true, memoryCap: true, nodeApi: false, isolated: true }
const js: JsAdapter = { name: 'idle', can: CAN, run: () => Promise.reject(new Error('not run')) }
const context = { waitUntil: () => undefined }
const registry = 'https://registry.example/npm/'
const install = { name: 'install_js_packages', input: { packages: ['nope'] } }

it('the JavaScript tools are offered with an adapter, and package tools with a registry', () => {
  const names = (options: object): readonly string[] =>
    [createBrowserRuntime({ storage: 'memory', ...options }), createWorkerRuntime(context, options)].flatMap((runtime) =>
      runtime
        .getModelManifest()
        .map(({ name }) => name)
        .filter((name) => name.includes('_js')),
    )
  expect(names({})).toEqual([])
  expect(names({ js })).toEqual(['run_js', 'run_js_module', 'run_js', 'run_js_module'])
  expect(names({ js, jsTools: { registry } })).toContain('install_js_packages')
})

it('a fetch adapter for web search is not a registry', async () => {
  const other = createBrowserRuntime({ storage: 'memory', js, webSearch: { provider: 'serper', baseUrl: 'https://a.example' } })
  expect(await other.execute(install)).toMatchObject({ ok: false, output: { capability: 'registry' } })
})

it('jsTools options are rejected with `tools`', () => {
  expect(() => createBrowserRuntime({ storage: 'memory', js, jsTools: {}, tools: jsTools() })).toThrow(/add jsTools/)
})
