// @module-tag run-js
import { createRuntime, type JsAdapter, jsTools } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { standard } from 'toolport/presets/standard'
import { describe, expect, it } from 'vitest'
import { hand } from '../unit/sessions-support.js'
import { benchOver } from './harness.js'

const NAMES = [
  'run_js',
  'run_js_module',
  'install_js_packages',
  'start_background_js',
  'read_background_js',
  'write_background_js',
  'stop_background_js',
  'list_background_js',
]

const CAN = { hardKill: true, memoryCap: true, nodeApi: false, isolated: true }

/** An adapter that cannot run programs, for tests of how the tools are offered. */
const IDLE: JsAdapter = { name: 'idle', can: CAN, run: () => Promise.reject(new Error('not run')) }

const spawning: JsAdapter = { ...IDLE, spawn: () => Promise.reject(new Error('not run')) }
const fetch = { name: 'none', fetch: () => Promise.reject(new Error('not asked')) }
const offered = (ports: object): readonly string[] =>
  createRuntime({ fs: createMemoryFs(), preset: standard(), ...ports })
    .getModelManifest()
    .map(({ name }) => name)
    .filter((name) => name.endsWith('_js') || name.includes('_js_'))

describe('the JavaScript tools', () => {
  it('are part of the standard preset and offered if their adapters exist', () => {
    expect(jsTools().map(({ name }) => name)).toEqual(NAMES)
    expect(standard().tools.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMES))
    expect(offered({})).toEqual([])
    expect(offered({ js: IDLE })).toEqual(['run_js', 'run_js_module'])
    expect(offered({ js: spawning, fetch })).toEqual([...NAMES].sort())
  })

  it('name the missing adapter or capability', async () => {
    const { fail } = benchOver(createRuntime({ fs: createMemoryFs(), preset: standard() }))
    expect(await fail('run_js', { code: '1' })).toMatchObject({
      output: { status: 'unsupported', capability: 'js' },
      error: 'Cannot run "run_js": this runtime has no js adapter',
    })
    const idle = benchOver(createRuntime({ fs: createMemoryFs(), preset: standard(), js: IDLE }))
    expect(await idle.fail('start_background_js', { code: '1' })).toMatchObject({
      output: { status: 'unsupported', capability: 'js.spawn', adapter: 'idle' },
      error: 'Cannot run "start_background_js": the js adapter "idle" has no background sessions',
    })
  })

  it('do not show sessions of other kinds', async () => {
    const { runtime, fail, ok } = benchOver(createRuntime({ fs: createMemoryFs(), tools: jsTools(), js: spawning }))
    const other = await runtime.sessions.start(hand().start({ kind: 'bash' }))
    expect((await fail('read_background_js', { session_id: other.id })).output).toMatchObject({ code: 'unknown_session' })
    expect(await ok('list_background_js', { include_exited: true })).toEqual({ count: 0, sessions: [] })
  })

  it('do not mention bash in their descriptions', () => {
    for (const { name, description, inputSchema } of createRuntime({
      fs: createMemoryFs(),
      tools: jsTools(),
      js: spawning,
      fetch,
    }).getModelManifest())
      expect(`${description} ${JSON.stringify(inputSchema)}`, name).not.toContain('bash')
  })

  it.each([
    ['an unknown fs grant', { grants: { fs: 'all' as 'write' } }, 'Cannot grant fs "all": expected none, read or write'],
    [
      'a fetch adapter as the fetch grant',
      { grants: { fetch: fetch as unknown as boolean } },
      'Cannot grant fetch: expected true or false. The fetch adapter decides which origins are allowed',
    ],
    [
      'tools that are not names',
      { grants: { tools: [1] as unknown as string[] } },
      'Cannot grant tools: expected true, false or a list of names',
    ],
    [
      'an invalid registry URL',
      { registry: 'registry' },
      'Cannot install packages: registry must be a URL that begins with http:// or https://',
    ],
    [
      'a registry URL with a key',
      { registry: 'https://u:s3cret-key@registry.example/' },
      'Cannot install packages: registry must not have a user, password, query or fragment. Pass keys in "registryHeaders"',
    ],
  ])('reject %s on creation', (_, options, message) => {
    expect(() => jsTools(options)).toThrow(new TypeError(message))
  })
})
