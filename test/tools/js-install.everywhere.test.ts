// @module-tag install
import { type CreateRuntimeOptions, createRuntime, type JsAdapter, type JsonValue, type JsToolsOptions, jsTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { describe, expect, it } from 'vitest'
import { madeRegistry, type Network, REGISTRY } from '../packages/install-support.js'
import { type Bench, benchOver } from './harness.js'

const CAN = { hardKill: true, memoryCap: true, nodeApi: false, isolated: true }
const IDLE: JsAdapter = { name: 'idle', can: CAN, run: () => Promise.reject(new Error('not run')) }

const PACKAGES = [
  { name: 'a', version: '1.0.0', files: { 'index.js': 'module.exports = 1\n' } },
  { name: 'b', version: '2.0.0', dependencies: { a: '^1.0.0' }, scripts: { postinstall: 'node x.js' }, hasInstallScript: true },
]

function open(network: Network, options: JsToolsOptions = { registry: REGISTRY }, more: Partial<CreateRuntimeOptions> = {}): Bench {
  const fs = createMemoryFs({ files: { 'sub/package.json': '{"name":"sub"}\n' } })
  return benchOver(createRuntime({ fs, root: '/workspace', js: IDLE, fetch: network.fetch, tools: jsTools(options), ...more }))
}

describe('install_js_packages', () => {
  it('installs packages with their dependencies and lists the installed ones', async () => {
    const { ok, read, files } = open(await madeRegistry(PACKAGES))
    expect(await ok('install_js_packages', { packages: ['b'] })).toEqual({
      installed: [{ name: 'b', version: '2.0.0', path: '/workspace/node_modules/b' }],
      added: 2,
      updated: 0,
      removed: 0,
      unchanged: 0,
      files: 3,
      bytes: expect.any(Number),
      warnings: [{ kind: 'install_script', name: 'b', version: '2.0.0', message: expect.any(String) }],
      warnings_total: 1,
      lockfile: '/workspace/package-lock.json',
      cwd: '/workspace',
      duration_ms: expect.any(Number),
    })
    expect(await files()).toMatchObject({ 'node_modules/a/index.js': 'module.exports = 1\n' })
    expect(await read('install_js_packages', { packages: ['b'] })).toMatch(/^b@2\.0\.0\n\[2 unchanged, \d+ ms\]$/)
    expect(await read('install_js_packages', { packages: [] })).toMatch(/^All dependencies in package\.json are installed\n/)
  })

  it('installs into the cwd of the call as dev dependencies', async () => {
    const { ok, runtime } = open(await madeRegistry(PACKAGES))
    await ok('install_js_packages', { packages: ['a@^1'], dev: true, cwd: 'sub' })
    const { text } = await runtime.workspace.readText('/workspace/sub/package.json')
    expect(JSON.parse(text)).toEqual({ name: 'sub', devDependencies: { a: '^1.0.0' } })
  })

  it('reports its progress', async () => {
    const updates: JsonValue[] = []
    const { runtime } = open(await madeRegistry(PACKAGES))
    const call = { name: 'install_js_packages', input: { packages: ['a'] } }
    await runtime.execute(call, { onProgress: (update) => updates.push(update) })
    expect(updates).toContainEqual({ phase: 'resolve', done: 1, total: 1, name: 'a' })
    expect(new Set(updates.map((update) => (update as { phase: string }).phase))).toEqual(new Set(['resolve', 'fetch', 'unpack', 'write']))
  })

  it('sends headers of the host, which may come from a function, and hides them', async () => {
    const keys: (string | null)[] = []
    const answer = ({ headers }: { readonly headers: Headers }): Response => {
      keys.push(headers.get('authorization'))
      return new Response('no', { status: 401 })
    }
    const network = await madeRegistry([], { a: answer })
    const { fail } = open(network, { registry: REGISTRY, registryHeaders: () => ({ authorization: 'Bearer s3cret-0123' }) })
    const failed = await fail('install_js_packages', { packages: ['a'] })
    expect(keys).toContain('Bearer s3cret-0123')
    expect(JSON.stringify(failed)).not.toContain('s3cret')
    const broken = open(network, { registry: REGISTRY, registryHeaders: () => Promise.reject(new Error('s3cret')) })
    expect((await broken.fail('install_js_packages', { packages: ['a'] })).error).toBe(
      'Cannot run "install_js_packages": the headers for the registry could not be read',
    )
  })

  it('reports a missing registry and sends no request', async () => {
    const network = await madeRegistry(PACKAGES)
    const { fail } = open(network, {})
    expect(await fail('install_js_packages', { packages: ['a'] })).toMatchObject({
      output: { status: 'unsupported', capability: 'registry' },
      error: 'Cannot run "install_js_packages": no package registry is configured',
    })
    expect(network.asked).toEqual([])
  })

  it('reports why an installation failed and writes nothing', async () => {
    const { fail, files } = open(await madeRegistry(PACKAGES))
    const before = await files()
    expect((await fail('install_js_packages', { packages: ['nope'] })).output).toMatchObject({
      code: 'invalid_input',
      reason: 'unknown_package',
    })
    expect((await fail('install_js_packages', { packages: ['../x'] })).output).toMatchObject({ code: 'invalid_input', reason: 'spec' })
    expect((await fail('install_js_packages', { packages: [' '] })).output).toMatchObject({ issues: [{ path: 'packages[0]' }] })
    expect((await fail('install_js_packages', {})).output).toMatchObject({ issues: [{ path: 'packages' }] })
    expect(await files()).toEqual(before)
  })

  it('is denied in a read-only workspace', async () => {
    const { fail } = open(await madeRegistry(PACKAGES), undefined, { policy: { readOnly: true } })
    expect((await fail('install_js_packages', { packages: ['a'] })).output.status).toBe('denied')
  })

  it('ends on abort and writes nothing', async () => {
    const controller = new AbortController()
    const network = await madeRegistry(PACKAGES, {
      a: () => {
        controller.abort()
        return new Promise(() => {})
      },
    })
    const { runtime, files } = open(network)
    const before = await files()
    const result = await runtime.execute({ name: 'install_js_packages', input: { packages: ['a'] } }, { signal: controller.signal })
    expect(result).toMatchObject({ ok: false, output: { code: 'aborted' } })
    expect(await files()).toEqual(before)
  })
})
