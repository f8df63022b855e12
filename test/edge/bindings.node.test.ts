// @module-tag edge
import { afterEach, expect, it } from 'vitest'
import { type Client, Edge } from './support.js'

let edge: Edge
afterEach(() => edge?.stop())

const namesOf = async (client: Client): Promise<readonly string[]> =>
  ((await (await client.get('/tools')).json()) as { name: string }[]).map(({ name }) => name)

it('a tool that needs a service is offered only if its URL is set', async () => {
  edge = await Edge.start()
  const without = await namesOf(await edge.create())
  expect(without).not.toContain('web_search')
  expect(await (await edge.create()).call('install_js_packages', { packages: ['x'] })).toMatchObject({
    ok: false,
    output: { status: 'unsupported' },
  })
  await edge.stop()
  edge = await Edge.start({ bindings: { OPEN: 'true', SEARCH_PROXY: 'https://search.example', REGISTRY: 'https://registry.example' } })
  const names = await namesOf(await edge.create())
  expect(names).toContain('web_search')
  expect(names).toContain('install_js_packages')
})

it('programs run in their own Worker if a Worker Loader is bound', async () => {
  edge = await Edge.start({ loader: true })
  const client = await edge.create({ files: { 'a.txt': 'one' } })
  const code =
    "import { readFileSync } from 'node:fs'\nlet why\ntry { eval('1') } catch (error) { why = error.name }\nexport default [readFileSync('a.txt', 'utf8'), why]"
  // A Worker forbids `eval`; QuickJS allows it.
  expect(await client.output('run_js', { code })).toMatchObject({ result: ['one', 'EvalError'] })
})
