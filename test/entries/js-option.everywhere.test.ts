// @module-tag run-js
import { customTools, fileTools, type JsAdapter, jsTools, type ToolRuntime, type Workspace } from 'toolport'
import { createBrowserRuntime } from 'toolport/browser'
import { createWorkerRuntime } from 'toolport/cloudflare'
import { afterEach, describe, expect, it } from 'vitest'

const CAN = { hardKill: true, memoryCap: true, nodeApi: false, isolated: true }
type JsGrants = Parameters<JsAdapter['run']>[0]['grants']

/** An engine that runs nothing, and records what each program was granted. */
function idle(can: Partial<JsAdapter['can']> = {}): JsAdapter & { readonly granted: JsGrants[] } {
  const granted: JsGrants[] = []
  return {
    name: 'idle',
    can: { ...CAN, ...can },
    granted,
    async run({ grants }) {
      granted.push(grants)
      return { exitCode: 0, stdout: '', stderr: '', timedOut: false, aborted: false, truncated: false }
    },
  }
}

/** Runs the shells of these tests without workers. */
const HERE = { worker: false } as const

type BrowserOptions = Partial<Parameters<typeof createBrowserRuntime>[0]>
type WorkerOptions = NonNullable<Parameters<typeof createWorkerRuntime>[1]>

const opened: ToolRuntime[] = []
const keep = (runtime: ToolRuntime): ToolRuntime => {
  opened.push(runtime)
  return runtime
}
const page = (options: BrowserOptions): ToolRuntime => keep(createBrowserRuntime({ storage: 'memory', shell: HERE, ...options }))
const worker = (options: WorkerOptions): ToolRuntime => keep(createWorkerRuntime({ waitUntil: () => undefined }, options))
const names = (runtime: ToolRuntime): readonly string[] => runtime.getModelManifest().map(({ name }) => name)
const jsOf = (runtime: ToolRuntime): JsAdapter => runtime.js as JsAdapter
const bash = (runtime: ToolRuntime, command: string) => runtime.call('bash', { command })

afterEach(() => Promise.all(opened.splice(0).map((runtime) => runtime.dispose())))

describe.each([
  ['createBrowserRuntime', page],
  ['createWorkerRuntime', worker],
] as const)('%s', (_, open) => {
  it('has no JavaScript by default', () => {
    for (const options of [{}, { js: false as const }]) {
      const runtime = open(options)
      expect(runtime.js).toBeUndefined()
      expect(names(runtime).filter((name) => name.includes('_js') || name === 'create_persistent_tool')).toEqual([])
    }
  })

  it('creates one adapter for the tools and the shell commands', async () => {
    const made: Workspace[] = []
    const runtime = open({
      js: (workspace: Workspace) => {
        made.push(workspace)
        return idle()
      },
    })
    expect(await runtime.call('run_js', { code: 'export default 1' })).toMatchObject({ exit_code: 0 })
    for (const name of ['node', 'js']) expect(await bash(runtime, `${name} -e 'export default 1'`)).toMatchObject({ exit_code: 0 })
    expect(made).toEqual([runtime.workspace])
  })

  it('gives shell commands the same file grants as the tools', async () => {
    const js = idle()
    const jsTools = { grants: { fs: 'none', fetch: true, tools: true } } as const
    const readOnly = { policy: { readOnly: true } }
    for (const options of [{}, { jsTools }, readOnly]) {
      expect(await bash(open({ js, ...options }), 'node -e 1')).toMatchObject({ exit_code: 0 })
    }
    expect(js.granted).toEqual([{ fs: 'write' }, { fs: 'none' }, { fs: 'read' }])
    const reaching = idle({ isolated: false })
    expect(await bash(open({ js: reaching }), 'node -e 1')).toMatchObject({ exit_code: 0 })
    for (const kept of [readOnly, { jsTools }]) {
      expect(await bash(open({ js: reaching, ...kept }), 'node -e 1')).toMatchObject({ exit_code: 127 })
    }
  })

  it('lets custom commands replace node and js', async () => {
    const commands = [{ name: 'node', run: () => ({ stdout: 'mine\n' }) }, () => ({ name: 'other', run: () => ({ stdout: 'too\n' }) })]
    const js = idle()
    expect(await bash(open({ js, shell: { ...HERE, commands } }), 'node x.js; other; js -e 1')).toMatchObject({ stdout: 'mine\ntoo\n' })
    expect(js.granted).toHaveLength(1)
    expect(await bash(open({ shell: { ...HERE, commands } }), 'node; js')).toMatchObject({ exit_code: 127, stdout: 'mine\n' })
    expect(await bash(open({ js, shell: { ...HERE, allow: ['cat'] } }), 'node -e 1')).toMatchObject({ exit_code: 127 })
  })

  it('has options for custom tools, and rejects them with `tools`', () => {
    const js = idle()
    expect(names(open({ js }))).toContain('create_persistent_tool')
    expect(names(open({ js, customTools: false }))).not.toContain('create_persistent_tool')
    expect(() => open({ js, customTools: { timeoutMs: 0 } })).toThrow(TypeError)
    expect(() => open({ js, customTools: {}, tools: [...jsTools(), ...customTools()] })).toThrow(
      new TypeError('Cannot create a runtime: "customTools" is for the standard tools; add customTools(...) to yours'),
    )
    expect(() => open({ customTools: {}, preset: { name: 'none', tools: [], validation: 'strict' } })).toThrow(/add customTools/)
    expect(names(open({ customTools: false, tools: fileTools() }))).toContain('read_file')
  })
})

describe('the JavaScript engine of a page', () => {
  it('reports its capabilities before it is loaded', async () => {
    const runtime = page({ js: true })
    expect(names(runtime)).toEqual(expect.arrayContaining(['run_js', 'start_background_js', 'create_persistent_tool']))
    const js = jsOf(runtime)
    expect(js).toMatchObject({ name: 'quickjs', can: { memoryCap: true, nodeApi: false, isolated: true } })
    expect(jsOf(page({ js: { worker: false } })).can.hardKill).toBe(false)
    expect(jsOf(page({ js: { worker: () => new Worker('never started') } })).can.hardKill).toBe(true)
  })

  it('returns an aborted program without loading', async () => {
    const js = jsOf(page({ js: { worker: false } }))
    expect(await js.run({ code: '1', signal: AbortSignal.abort() })).toMatchObject({ exitCode: null, aborted: true, timedOut: false })
  })

  it('runs nothing after close(), loaded or not', async () => {
    const runtime = page({ js: { worker: false } })
    const js = jsOf(runtime)
    await runtime.dispose()
    const closed = { name: 'JsError', code: 'unavailable', message: expect.stringContaining('closed') }
    await expect(js.run({ code: '1' })).rejects.toMatchObject(closed)
    await expect(js.spawn?.({ code: '1' })).rejects.toMatchObject(closed)
    await expect(js.open?.()).rejects.toMatchObject(closed)
  })
})

describe('the JavaScript engine of a Worker', () => {
  it('must be given', () => {
    const words = `import wasm from 'toolport/adapters/quickjs/wasm', or js: { loader: env.LOADER }`
    for (const js of [true, {}, { memoryBytes: 1 }, { loader: undefined }, { wasm: undefined }]) {
      expect(() => worker({ js: js as never })).toThrow(
        expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(words) }),
      )
    }
  })
})
