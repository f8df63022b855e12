// @module-tag loaf
import type { JsAdapter } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type CreateLoafOptions, createLoaf, type LoafToolResult } from 'toolport/presets/loaf'
import { describe, expect, it } from 'vitest'
import { madeRegistry, type Network, REGISTRY } from '../packages/install-support.js'

const CAN = { hardKill: true, memoryCap: true, nodeApi: false, isolated: true }
const IDLE: JsAdapter = { name: 'idle', can: CAN, run: () => Promise.reject(new Error('not run')) }
const SPAWNING: JsAdapter = { ...IDLE, spawn: () => Promise.reject(new Error('not run')) }

const PACKAGES = [
  { name: 'a', version: '1.0.0', files: { 'index.js': 'module.exports = 1\n' } },
  { name: 'b', version: '2.0.0', dependencies: { a: '^1.0.0' }, scripts: { postinstall: 'node x.js' }, hasInstallScript: true },
]

/** Tests read fields of the result. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has fields of its own.
type Answered = LoafToolResult<any>
type Call = (name: string, input: unknown, context?: { readonly signal?: AbortSignal }) => Promise<Answered>

function open(options: Partial<CreateLoafOptions> = {}): {
  readonly call: Call
  readonly files: () => Promise<object>
  readonly manifest: readonly string[]
} {
  const loaf = createLoaf({ root: '/workspace', js: IDLE, ...options, fs: createMemoryFs({ files: { 'sub/f.txt': '' } }) })
  const runtime = new loaf.ToolRuntime(loaf.defaultToolRegistry)
  return {
    call: (name, input, context) => runtime.execute({ id: 'c', name, input }, context) as Promise<Answered>,
    files: () => loaf.workspace.files(),
    manifest: loaf.defaultToolRegistry.getModelManifest().map(({ name }) => name),
  }
}

const invalid = (message: string): LoafToolResult => ({ ok: false, output: { status: 'invalid_input', message }, error: message })
const withRegistry = (network: Network): Partial<CreateLoafOptions> => ({ fetch: network.fetch, jsTools: { registry: REGISTRY } })

describe('the JavaScript tools of loaf', () => {
  it('are offered if their adapters exist', async () => {
    const js = (names: readonly string[]) => names.filter((name) => name.endsWith('_js') || name.includes('_js_'))
    expect(js(open({ js: undefined }).manifest)).toEqual([])
    expect(js(open().manifest)).toEqual(['run_js', 'run_js_module'])
    const { fetch } = await madeRegistry([])
    expect(js(open({ js: SPAWNING, fetch }).manifest)).toHaveLength(8)
    expect(await open({ js: undefined }).call('run_js', { code: '1' })).toMatchObject({ ok: false, output: { status: 'unsupported' } })
  })

  it.each([
    ['run_js', {}, 'run_js requires a non-empty `code`.'],
    ['run_js', { code: ' \n' }, 'run_js requires a non-empty `code`.'],
    ['run_js', { code: 5 }, 'run_js requires a non-empty `code`.'],
    ['run_js_module', { module: ' ' }, 'run_js_module requires a non-empty `module`.'],
    ['install_js_packages', {}, 'install_js_packages requires at least one name in `packages`.'],
    ['install_js_packages', { packages: [1, ' '] }, 'install_js_packages requires at least one name in `packages`.'],
    ['start_background_js', {}, 'start_background_js requires a non-empty `code`.'],
    ['write_background_js', { session_id: 'x' }, 'write_background_js requires `input` as a string.'],
    ['read_background_js', {}, 'read_background_js requires a valid `session_id`.'],
    ['write_background_js', { session_id: 'nope', input: '' }, 'write_background_js requires a valid `session_id`.'],
    ['stop_background_js', { session_id: 'nope' }, 'stop_background_js requires a valid `session_id`.'],
  ])('%s rejects %j cap:76 cap:78 cap:80 cap:81 cap:82 cap:83 cap:84', async (name, input, message) => {
    const { fetch } = await madeRegistry([])
    expect(await open({ js: SPAWNING, fetch }).call(name, input)).toEqual(invalid(message))
  })

  it('list no session at first cap:85', async () => {
    expect(await open({ js: SPAWNING }).call('list_background_js', {})).toEqual({
      ok: true,
      output: { status: 'ok', count: 0, sessions: [] },
    })
  })

  it('reject other runtimes cap:78', async () => {
    const error = 'run_js could not resolve runtime "bun".'
    expect(await open().call('run_js', { code: '1', runtime: 'bun' })).toEqual({
      ok: false,
      output: { status: 'error', message: error },
      error,
    })
  })
})

describe('install_js_packages of loaf', () => {
  it('installs packages and returns the result of a finished process cap:76 cap:77', async () => {
    const { call, files } = open(withRegistry(await madeRegistry(PACKAGES)))
    const { ok, output, error } = await call('install_js_packages', { packages: ['b'], args: '--save-exact -D', cwd: 'sub' })
    expect([ok, error]).toEqual([true, undefined])
    expect(output).toEqual({
      status: 'ok',
      mode: 'install_js_packages',
      cwd: '/workspace/sub',
      command: 'toolport',
      args: ['install', 'b', '--save-exact', '-D'],
      exit_code: 0,
      signal: null,
      timed_out: false,
      aborted: false,
      duration_ms: expect.any(Number),
      stdout: expect.stringMatching(/^b@2\.0\.0\n2 added, 0 updated, 0 removed\n$/),
      stderr: expect.stringMatching(/^warning: .*b@2\.0\.0.*\nwarning: left aside: --save-exact\n$/),
      truncated_stdout: false,
      truncated_stderr: false,
      packages: ['b'],
      dev: true,
      package_manager: 'toolport',
    })
    expect(Object.keys(output).slice(0, 14).join(' ')).toBe(
      'status mode cwd command args exit_code signal timed_out aborted duration_ms stdout stderr truncated_stdout truncated_stderr',
    )
    expect(await files()).toMatchObject({ 'sub/node_modules/a/index.js': 'module.exports = 1\n' })
    expect(JSON.stringify(await files())).toContain('devDependencies')
  })

  it('accepts names in one text cap:76', async () => {
    const { call } = open(withRegistry(await madeRegistry(PACKAGES)))
    expect((await call('install_js_packages', { packages: ' a  b ' })).output).toMatchObject({ packages: ['a', 'b'], exit_code: 0 })
    expect((await call('install_js_packages', { packages: '["a"]', package_manager: 'npm' })).output).toMatchObject({ packages: ['a'] })
  })

  it('rejects other package managers cap:76', async () => {
    const { call } = open(withRegistry(await madeRegistry(PACKAGES)))
    const error = 'install_js_packages could not resolve an installed package manager.'
    for (const package_manager of ['bun', 'pnpm', 'yarn']) {
      const result = await call('install_js_packages', { packages: ['a'], package_manager })
      expect(result).toEqual({ ok: false, output: { status: 'error', message: error }, error })
    }
  })

  it('reports why an installation failed cap:76', async () => {
    const { call } = open(withRegistry(await madeRegistry(PACKAGES)))
    expect(await call('install_js_packages', { packages: ['nope'] })).toMatchObject({
      ok: false,
      output: { status: 'invalid_input', message: expect.stringContaining('nope') },
      error: expect.stringContaining('nope'),
    })
    const { fetch } = await madeRegistry([])
    const error = 'Cannot run "install_js_packages": no package registry is configured'
    expect(await open({ fetch }).call('install_js_packages', { packages: ['a'] })).toMatchObject({ ok: false, error })
  })

  it('is ended by its timeout or an abort, and writes nothing cap:76', async () => {
    const controller = new AbortController()
    let onAsked = (): void => {}
    const network = await madeRegistry(PACKAGES, {
      a: ({ signal }) => {
        onAsked()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const { call, files } = open(withRegistry(network))
    const before = await files()
    const late = await call('install_js_packages', { packages: ['a'], timeout_seconds: 1 })
    expect(late).toMatchObject({
      ok: false,
      error: 'process timed out (no exit code)',
      output: { status: 'error', exit_code: null, timed_out: true },
    })
    onAsked = () => controller.abort()
    const aborted = await call('install_js_packages', { packages: ['a'] }, { signal: controller.signal })
    expect(aborted).toMatchObject({ ok: false, error: 'process aborted (no exit code)', output: { aborted: true, timed_out: false } })
    expect(await files()).toEqual(before)
  })
})
